build-san/mpi/mpicc.mpich/obj/tanbench/launch/limits.o: \
  tanbench/launch/limits.c tanbench/launch/limits.h base/error.h \
  base/array.h tanbench/host/cores.h

tanbench/launch/limits.h:

base/error.h:

base/array.h:

tanbench/host/cores.h:
