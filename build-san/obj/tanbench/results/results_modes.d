build-san/obj/tanbench/results/results_modes.o: \
  tanbench/results/results_modes.c tanbench/results/results_modes.h \
  base/json.h base/error.h tanbench/results/results.h base/table.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/stats/series.h model/wave/wave.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  tanbench/plan/plan.h tanbench/plan/settings.h \
  tanbench/plan/emulation.h tanbench/plan/failure.h \
  tanbench/plan/filter.h tanbench/plan/sync_policy.h \
  tanbench/sampling/measurement.h tanbench/sampling/clock_model.h \
  base/text.h base/units.h tanbench/results/members.h \
  tanbench/results/predict.h

tanbench/results/results_modes.h:

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

tanbench/results/members.h:

tanbench/results/predict.h:
