build-san/mpi/mpicc.mpich/obj/tanbench/launch/launch_env.o: \
  tanbench/launch/launch_env.c tanbench/host/cores.h \
  tanbench/launch/launch.h base/error.h \
  tanbench/launch/launch_internal.h

tanbench/host/cores.h:

tanbench/launch/launch.h:

base/error.h:

tanbench/launch/launch_internal.h:
