build-san/mpi/mpicc.mpich/obj/cmd/tanbench/run_progress.o: \
  cmd/tanbench/run_progress.c cmd/tanbench/run_progress.h \
  cmd/tanbench/options.h base/cli.h base/error.h base/text.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/host/cores.h tanbench/launch/simulation.h \
  base/json.h tanbench/launch/launch.h tanbench/p2p/p2p.h \
  tanbench/p2p/calibrate.h model/machine/p2p.h model/machine/loggp.h \
  tanbench/p2p/exchanges.h tanbench/p2p/link.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  tanbench/p2p/measure.h tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h tanbench/p2p/report.h tanbench/p2p/datatypes.h \
  tanbench/p2p/send_modes.h tanbench/p2p/vector_trips.h \
  tanbench/plan/plan.h tanbench/plan/settings.h \
  tanbench/plan/emulation.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h tanbench/plan/failure.h \
  tanbench/plan/filter.h tanbench/plan/sync_policy.h \
  tanbench/results/validate.h tanbench/results/results.h base/table.h \
  model/stats/series.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h base/clock.h tanbench/host/progress.h \
  tanbench/plan/duration.h

cmd/tanbench/run_progress.h:

cmd/tanbench/options.h:

base/cli.h:

base/error.h:

base/text.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/host/cores.h:

tanbench/launch/simulation.h:

base/json.h:

tanbench/launch/launch.h:

tanbench/p2p/p2p.h:

tanbench/p2p/calibrate.h:

model/machine/p2p.h:

model/machine/loggp.h:

tanbench/p2p/exchanges.h:

tanbench/p2p/link.h:

tanbench/ranks/world.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

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

tanbench/plan/plan.h:

tanbench/plan/settings.h:

tanbench/plan/emulation.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/results/validate.h:

tanbench/results/results.h:

base/table.h:

model/stats/series.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

base/clock.h:

tanbench/host/progress.h:

tanbench/plan/duration.h:
