build-san/mpi/mpicc.mpich/obj/tanbench/ranks/stop.o: \
  tanbench/ranks/stop.c tanbench/ranks/stop.h base/error.h base/clock.h \
  tanbench/ranks/deadline.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h

tanbench/ranks/stop.h:

base/error.h:

base/clock.h:

tanbench/ranks/deadline.h:

tanbench/ranks/world.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:
