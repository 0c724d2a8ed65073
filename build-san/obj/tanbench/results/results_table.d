build-san/obj/tanbench/results/results_table.o: \
  tanbench/results/results_table.c base/table.h base/error.h base/text.h \
  base/units.h model/fit/fit.h model/fit/tree_paths.h topo/tree.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/results/cell_doubts.h base/json.h \
  tanbench/results/predict.h tanbench/results/results.h \
  model/stats/series.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h tanbench/plan/plan.h \
  tanbench/plan/settings.h tanbench/plan/emulation.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h tanbench/results/results_modes.h

base/table.h:

base/error.h:

base/text.h:

base/units.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/results/cell_doubts.h:

base/json.h:

tanbench/results/predict.h:

tanbench/results/results.h:

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

tanbench/results/results_modes.h:
