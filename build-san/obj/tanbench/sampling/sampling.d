build-san/obj/tanbench/sampling/sampling.o: \
  tanbench/sampling/sampling.c tanbench/sampling/sampling.h base/error.h \
  tanbench/plan/plan.h tanbench/plan/settings.h base/json.h \
  tanbench/plan/emulation.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h tanbench/sampling/timer.h base/clock.h \
  model/stats/series.h

tanbench/sampling/sampling.h:

base/error.h:

tanbench/plan/plan.h:

tanbench/plan/settings.h:

base/json.h:

tanbench/plan/emulation.h:

model/machine/machine.h:

model/machine/doubt.h:

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

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

tanbench/sampling/timer.h:

base/clock.h:

model/stats/series.h:
