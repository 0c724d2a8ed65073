build-san/mpi/mpicc.mpich/obj/tanbench/measure/mode_stream.o: \
  tanbench/measure/mode_stream.c base/clock.h model/stats/stats.h \
  base/error.h tanbench/host/core_load.h tanbench/host/cores.h \
  tanbench/plan/rank_map.h tanbench/measure/mode_run.h \
  tanbench/measure/cell_run.h tanbench/heal/heal.h tanbench/heal/node.h \
  tanbench/heal/mailbox.h tanbench/plan/filter.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  tanbench/plan/failure.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h tanbench/host/core_probe.h \
  tanbench/measure/mpi_reference.h tanbench/overlay/clock_sync.h \
  tanbench/overlay/overlay.h tanbench/plan/emulation.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  tanbench/plan/sync_policy.h tanbench/overlay/stream.h \
  tanbench/plan/plan.h tanbench/plan/settings.h base/json.h \
  tanbench/sampling/sampling.h tanbench/sampling/timer.h \
  tanbench/measure/round_trips.h tanbench/ranks/deadline.h \
  tanbench/ranks/stop.h

base/clock.h:

model/stats/stats.h:

base/error.h:

tanbench/host/core_load.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/measure/mode_run.h:

tanbench/measure/cell_run.h:

tanbench/heal/heal.h:

tanbench/heal/node.h:

tanbench/heal/mailbox.h:

tanbench/plan/filter.h:

tanbench/ranks/wait.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/ranks/world.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

tanbench/plan/failure.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

tanbench/host/core_probe.h:

tanbench/measure/mpi_reference.h:

tanbench/overlay/clock_sync.h:

tanbench/overlay/overlay.h:

tanbench/plan/emulation.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/sync_policy.h:

tanbench/overlay/stream.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

base/json.h:

tanbench/sampling/sampling.h:

tanbench/sampling/timer.h:

tanbench/measure/round_trips.h:

tanbench/ranks/deadline.h:

tanbench/ranks/stop.h:
