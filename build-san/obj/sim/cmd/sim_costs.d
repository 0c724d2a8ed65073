build-san/obj/sim/cmd/sim_costs.o: sim/cmd/sim_costs.c sim/cmd/sim_run.h \
  base/cli.h base/error.h base/text.h sim/engine/link_options.h \
  sim/schedule/params.h model/machine/doubt.h sim/engine/simulation.h \
  sim/schedule/schedule.h sim/loggopsim/compatible.h \
  sim/schedule/message_models.h model/machine/machine.h \
  model/machine/params.h model/stats/stats.h sim/schedule/patterns.h \
  sim/schedule/tree_wave.h topo/tree.h sim/sensitivity/cost.h \
  sim/view/critical_path.h sim/sensitivity/response.h \
  sim/trace/trace_report.h sim/trace/trace_schedule.h \
  sim/trace/trace_calls.h sim/view/path_shares.h \
  sim/view/result_report.h sim/engine/deadlock.h model/machine/p2p.h \
  model/machine/loggp.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h sim/engine/noise.h

sim/cmd/sim_run.h:

base/cli.h:

base/error.h:

base/text.h:

sim/engine/link_options.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/engine/simulation.h:

sim/schedule/schedule.h:

sim/loggopsim/compatible.h:

sim/schedule/message_models.h:

model/machine/machine.h:

model/machine/params.h:

model/stats/stats.h:

sim/schedule/patterns.h:

sim/schedule/tree_wave.h:

topo/tree.h:

sim/sensitivity/cost.h:

sim/view/critical_path.h:

sim/sensitivity/response.h:

sim/trace/trace_report.h:

sim/trace/trace_schedule.h:

sim/trace/trace_calls.h:

sim/view/path_shares.h:

sim/view/result_report.h:

sim/engine/deadlock.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

sim/engine/noise.h:
