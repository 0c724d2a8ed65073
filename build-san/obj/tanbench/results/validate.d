build-san/obj/tanbench/results/validate.o: tanbench/results/validate.c \
  tanbench/results/validate.h base/json.h base/error.h \
  tanbench/results/results.h base/table.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/stats/series.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h tanbench/plan/plan.h \
  tanbench/plan/settings.h tanbench/plan/emulation.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h base/text.h base/units.h \
  model/stats/ranking.h tanbench/plan/calibration_plan.h model/fit/fit.h \
  model/fit/tree_paths.h tanbench/plan/rank_map.h \
  tanbench/results/predict.h topo/spec.h

tanbench/results/validate.h:

base/json.h:

base/error.h:

tanbench/results/results.h:

base/table.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/stats/series.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

tanbench/plan/emulation.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

base/text.h:

base/units.h:

model/stats/ranking.h:

tanbench/plan/calibration_plan.h:

model/fit/fit.h:

model/fit/tree_paths.h:

tanbench/plan/rank_map.h:

tanbench/results/predict.h:

topo/spec.h:
