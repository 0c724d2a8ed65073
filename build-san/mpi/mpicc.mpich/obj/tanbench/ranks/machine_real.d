build-san/mpi/mpicc.mpich/obj/tanbench/ranks/machine_real.o: \
  tanbench/ranks/machine_real.c base/array.h base/clock.h \
  tanbench/host/cores.h tanbench/ranks/machine.h base/error.h \
  tanbench/ranks/mpi_try.h /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h

base/array.h:

base/clock.h:

tanbench/host/cores.h:

tanbench/ranks/machine.h:

base/error.h:

tanbench/ranks/mpi_try.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/ranks/world.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:
