build-san/mpi/mpicc.mpich/obj/tanbench/ranks/wait.o: \
  tanbench/ranks/wait.c tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h base/error.h \
  tanbench/ranks/world.h tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  base/clock.h base/text.h tanbench/ranks/machine.h \
  tanbench/ranks/mpi_try.h tanbench/ranks/stop.h

tanbench/ranks/wait.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

base/error.h:

tanbench/ranks/world.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

base/clock.h:

base/text.h:

tanbench/ranks/machine.h:

tanbench/ranks/mpi_try.h:

tanbench/ranks/stop.h:
