build-san/obj/tanbench/results/cell_doubts.o: \
  tanbench/results/cell_doubts.c tanbench/results/cell_doubts.h \
  base/json.h base/error.h model/machine/doubt.h base/text.h \
  base/units.h tanbench/plan/settings.h tanbench/plan/emulation.h \
  model/machine/machine.h model/machine/params.h model/stats/stats.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/results/predict.h \
  tanbench/results/results.h base/table.h model/stats/series.h \
  tanbench/plan/plan.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h

tanbench/results/cell_doubts.h:

base/json.h:

base/error.h:

model/machine/doubt.h:

base/text.h:

base/units.h:

tanbench/plan/settings.h:

tanbench/plan/emulation.h:

model/machine/machine.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

tanbench/plan/failure.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/results/predict.h:

tanbench/results/results.h:

base/table.h:

model/stats/series.h:

tanbench/plan/plan.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:
