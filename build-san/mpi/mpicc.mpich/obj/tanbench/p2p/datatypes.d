build-san/mpi/mpicc.mpich/obj/tanbench/p2p/datatypes.o: \
  tanbench/p2p/datatypes.c tanbench/p2p/datatypes.h model/fit/p2p_fit.h \
  model/machine/p2p.h base/error.h model/machine/loggp.h \
  model/stats/stats.h tanbench/p2p/link.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h tanbench/p2p/measure.h \
  tanbench/sampling/p2p_samples.h base/clock.h base/table.h base/units.h \
  tanbench/p2p/values.h tanbench/ranks/machine.h \
  tanbench/ranks/mpi_try.h

tanbench/p2p/datatypes.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:

tanbench/p2p/link.h:

tanbench/ranks/world.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

tanbench/p2p/measure.h:

tanbench/sampling/p2p_samples.h:

base/clock.h:

base/table.h:

base/units.h:

tanbench/p2p/values.h:

tanbench/ranks/machine.h:

tanbench/ranks/mpi_try.h:
