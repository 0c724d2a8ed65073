build-san/obj/tanbench/plan/calibration_plan.o: \
  tanbench/plan/calibration_plan.c tanbench/plan/calibration_plan.h \
  base/error.h model/fit/fit.h model/fit/tree_paths.h topo/tree.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h tanbench/plan/plan.h tanbench/plan/settings.h \
  base/json.h tanbench/plan/emulation.h model/wave/wave.h \
  model/wave/sites.h topo/rack_list.h topo/names.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/plan/rank_map.h topo/spec.h

tanbench/plan/calibration_plan.h:

base/error.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

base/json.h:

tanbench/plan/emulation.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/plan/rank_map.h:

topo/spec.h:
