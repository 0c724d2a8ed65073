build-san/mpi/mpicc.mpich/obj/tanbench/p2p/eager_limits.o: \
  tanbench/p2p/eager_limits.c tanbench/p2p/p2p.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/p2p/calibrate.h model/machine/p2p.h \
  model/machine/loggp.h tanbench/p2p/exchanges.h tanbench/p2p/link.h \
  tanbench/ranks/world.h /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h tanbench/p2p/measure.h \
  tanbench/sampling/p2p_samples.h model/fit/p2p_fit.h \
  tanbench/p2p/report.h tanbench/p2p/datatypes.h \
  tanbench/p2p/send_modes.h tanbench/p2p/vector_trips.h

tanbench/p2p/p2p.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/p2p/calibrate.h:

model/machine/p2p.h:

model/machine/loggp.h:

tanbench/p2p/exchanges.h:

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

model/fit/p2p_fit.h:

tanbench/p2p/report.h:

tanbench/p2p/datatypes.h:

tanbench/p2p/send_modes.h:

tanbench/p2p/vector_trips.h:
