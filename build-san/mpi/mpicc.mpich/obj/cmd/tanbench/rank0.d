build-san/mpi/mpicc.mpich/obj/cmd/tanbench/rank0.o: cmd/tanbench/rank0.c \
  cmd/tanbench/rank0.h tanbench/results/fitting.h model/fit/fit.h \
  model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/results/results.h base/json.h \
  base/table.h model/stats/series.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h tanbench/plan/plan.h \
  tanbench/plan/settings.h tanbench/plan/emulation.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h cmd/tanbench/options.h base/cli.h \
  base/text.h tanbench/host/cores.h tanbench/launch/simulation.h \
  tanbench/launch/launch.h tanbench/p2p/p2p.h tanbench/p2p/calibrate.h \
  model/machine/p2p.h model/machine/loggp.h tanbench/p2p/exchanges.h \
  tanbench/p2p/link.h tanbench/ranks/world.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h \
  tanbench/p2p/measure.h tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h tanbench/p2p/report.h tanbench/p2p/datatypes.h \
  tanbench/p2p/send_modes.h tanbench/p2p/vector_trips.h \
  tanbench/results/validate.h cmd/tanbench/run_progress.h \
  tanbench/measure/session.h tanbench/overlay/clock_sync.h \
  tanbench/ranks/wait.h tanbench/overlay/overlay.h \
  tanbench/sampling/sampling.h tanbench/sampling/timer.h \
  tanbench/results/distance.h base/clock.h base/output.h page/report.h \
  tanbench/host/machine_file.h tanbench/host/progress.h \
  tanbench/plan/calibration_plan.h tanbench/plan/duration.h \
  tanbench/ranks/environment.h tanbench/ranks/machine.h \
  tanbench/ranks/stop.h tanbench/ranks/watch.h \
  tanbench/results/cell_doubts.h tanbench/results/predict.h \
  tanbench/results/results_restore.h

cmd/tanbench/rank0.h:

tanbench/results/fitting.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/results/results.h:

base/json.h:

base/table.h:

model/stats/series.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

tanbench/plan/emulation.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

cmd/tanbench/options.h:

base/cli.h:

base/text.h:

tanbench/host/cores.h:

tanbench/launch/simulation.h:

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

tanbench/p2p/measure.h:

tanbench/sampling/p2p_samples.h:

model/fit/p2p_fit.h:

tanbench/p2p/report.h:

tanbench/p2p/datatypes.h:

tanbench/p2p/send_modes.h:

tanbench/p2p/vector_trips.h:

tanbench/results/validate.h:

cmd/tanbench/run_progress.h:

tanbench/measure/session.h:

tanbench/overlay/clock_sync.h:

tanbench/ranks/wait.h:

tanbench/overlay/overlay.h:

tanbench/sampling/sampling.h:

tanbench/sampling/timer.h:

tanbench/results/distance.h:

base/clock.h:

base/output.h:

page/report.h:

tanbench/host/machine_file.h:

tanbench/host/progress.h:

tanbench/plan/calibration_plan.h:

tanbench/plan/duration.h:

tanbench/ranks/environment.h:

tanbench/ranks/machine.h:

tanbench/ranks/stop.h:

tanbench/ranks/watch.h:

tanbench/results/cell_doubts.h:

tanbench/results/predict.h:

tanbench/results/results_restore.h:
