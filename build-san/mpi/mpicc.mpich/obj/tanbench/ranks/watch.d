build-san/mpi/mpicc.mpich/obj/tanbench/ranks/watch.o: \
  tanbench/ranks/watch.c tanbench/ranks/watch.h base/error.h \
  tanbench/ranks/world.h /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h tanbench/launch/launch.h \
  tanbench/ranks/stop.h

tanbench/ranks/watch.h:

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

tanbench/launch/launch.h:

tanbench/ranks/stop.h:
