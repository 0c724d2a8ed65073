build-san/obj/tanbench/results/fitting.o: tanbench/results/fitting.c \
  tanbench/results/fitting.h model/fit/fit.h model/fit/tree_paths.h \
  topo/tree.h base/error.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h tanbench/results/results.h \
  base/json.h base/table.h model/stats/series.h model/wave/wave.h \
  model/wave/sites.h topo/rack_list.h topo/names.h tanbench/plan/plan.h \
  tanbench/plan/settings.h tanbench/plan/emulation.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h tanbench/plan/calibration_plan.h \
  tanbench/plan/rank_map.h tanbench/results/cell_doubts.h \
  tanbench/results/distance.h

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

tanbench/plan/calibration_plan.h:

tanbench/plan/rank_map.h:

tanbench/results/cell_doubts.h:

tanbench/results/distance.h:
