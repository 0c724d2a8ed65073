build-san/mpi/mpicc.mpich/obj/tanbench/ranks/environment.o: \
  tanbench/ranks/environment.c tanbench/ranks/environment.h \
  tanbench/ranks/world.h /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h base/error.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  tanbench/sampling/timer.h base/json.h tanbench/ranks/machine.h

tanbench/ranks/environment.h:

tanbench/ranks/world.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

base/error.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

tanbench/sampling/timer.h:

base/json.h:

tanbench/ranks/machine.h:
