build-san/mpi/mpicc.mpich/obj/tanbench/p2p/link.o: tanbench/p2p/link.c \
  tanbench/p2p/link.h base/error.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h base/clock.h \
  tanbench/host/core_probe.h tanbench/ranks/machine.h \
  tanbench/ranks/mpi_try.h tanbench/ranks/stop.h tanbench/ranks/watch.h

tanbench/p2p/link.h:

base/error.h:

tanbench/ranks/world.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

base/clock.h:

tanbench/host/core_probe.h:

tanbench/ranks/machine.h:

tanbench/ranks/mpi_try.h:

tanbench/ranks/stop.h:

tanbench/ranks/watch.h:
