build-san/mpi/mpicc.mpich/obj/tanbench/p2p/compare.o: \
  tanbench/p2p/compare.c tanbench/p2p/compare.h model/machine/machine.h \
  base/error.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h model/machine/p2p.h model/machine/loggp.h \
  base/table.h tanbench/p2p/report.h tanbench/p2p/datatypes.h \
  tanbench/p2p/link.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h tanbench/p2p/measure.h \
  tanbench/p2p/send_modes.h tanbench/p2p/values.h \
  tanbench/ranks/machine.h

tanbench/p2p/compare.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/sampling/p2p_samples.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

model/machine/loggp.h:

base/table.h:

tanbench/p2p/report.h:

tanbench/p2p/datatypes.h:

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

tanbench/p2p/send_modes.h:

tanbench/p2p/values.h:

tanbench/ranks/machine.h:
