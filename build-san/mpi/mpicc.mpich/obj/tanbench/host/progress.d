build-san/mpi/mpicc.mpich/obj/tanbench/host/progress.o: \
  tanbench/host/progress.c tanbench/host/progress.h base/text.h \
  base/error.h

tanbench/host/progress.h:

base/text.h:

base/error.h:
