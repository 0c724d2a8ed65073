build-san/obj/tanbench/results/results_json.o: \
  tanbench/results/results_json.c tanbench/results/results.h \
  base/error.h base/json.h base/table.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/stats/series.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h tanbench/plan/plan.h \
  tanbench/plan/settings.h tanbench/plan/emulation.h \
  tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h base/csv.h base/output.h \
  tanbench/results/cell_doubts.h tanbench/results/predict.h \
  tanbench/results/results_modes.h tanbench/results/validate.h

tanbench/results/results.h:

base/error.h:

base/json.h:

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

base/csv.h:

base/output.h:

tanbench/results/cell_doubts.h:

tanbench/results/predict.h:

tanbench/results/results_modes.h:

tanbench/results/validate.h:
