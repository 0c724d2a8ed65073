build-san/mpi/mpicc.mpich/obj/tanbench/overlay/clock_sync.o: \
  tanbench/overlay/clock_sync.c tanbench/overlay/clock_sync.h \
  base/error.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  tanbench/sampling/clock_model.h tanbench/sampling/measurement.h \
  base/clock.h tanbench/ranks/mpi_try.h tanbench/ranks/stop.h

tanbench/overlay/clock_sync.h:

base/error.h:

tanbench/ranks/wait.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/ranks/world.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

tanbench/sampling/clock_model.h:

tanbench/sampling/measurement.h:

base/clock.h:

tanbench/ranks/mpi_try.h:

tanbench/ranks/stop.h:
