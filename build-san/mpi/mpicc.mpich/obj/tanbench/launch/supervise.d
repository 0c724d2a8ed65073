build-san/mpi/mpicc.mpich/obj/tanbench/launch/supervise.o: \
  tanbench/launch/supervise.c base/clock.h tanbench/launch/launch.h \
  base/error.h tanbench/launch/launch_internal.h \
  tanbench/launch/limits.h

base/clock.h:

tanbench/launch/launch.h:

base/error.h:

tanbench/launch/launch_internal.h:

tanbench/launch/limits.h:
