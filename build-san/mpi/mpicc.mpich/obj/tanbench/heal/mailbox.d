build-san/mpi/mpicc.mpich/obj/tanbench/heal/mailbox.o: \
  tanbench/heal/mailbox.c tanbench/heal/mailbox.h tanbench/plan/filter.h \
  base/error.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  base/array.h base/clock.h tanbench/ranks/machine.h \
  tanbench/ranks/mpi_try.h tanbench/ranks/stop.h

tanbench/heal/mailbox.h:

tanbench/plan/filter.h:

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

base/array.h:

base/clock.h:

tanbench/ranks/machine.h:

tanbench/ranks/mpi_try.h:

tanbench/ranks/stop.h:
