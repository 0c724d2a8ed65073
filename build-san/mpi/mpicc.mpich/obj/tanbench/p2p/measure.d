build-san/mpi/mpicc.mpich/obj/tanbench/p2p/measure.o: \
  tanbench/p2p/measure.c tanbench/p2p/measure.h tanbench/p2p/link.h \
  base/error.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/ranks/doorbell.h \
  tanbench/ranks/sockets.h topo/tree.h tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h model/machine/p2p.h model/machine/loggp.h \
  model/stats/stats.h base/clock.h tanbench/host/progress.h \
  tanbench/plan/duration.h tanbench/plan/plan.h tanbench/plan/settings.h \
  base/json.h tanbench/plan/emulation.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/wave/wave.h \
  model/wave/sites.h topo/rack_list.h topo/names.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/ranks/machine.h \
  tanbench/ranks/stop.h

tanbench/p2p/measure.h:

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

tanbench/sampling/p2p_samples.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/stats/stats.h:

base/clock.h:

tanbench/host/progress.h:

tanbench/plan/duration.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

base/json.h:

tanbench/plan/emulation.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/ranks/machine.h:

tanbench/ranks/stop.h:
