build-san/obj/tanbench/plan/plan.o: tanbench/plan/plan.c \
  tanbench/plan/plan.h base/error.h tanbench/plan/settings.h base/json.h \
  tanbench/plan/emulation.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h tanbench/plan/failure.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h base/array.h base/text.h base/units.h \
  topo/spec.h

tanbench/plan/plan.h:

base/error.h:

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

base/array.h:

base/text.h:

base/units.h:

topo/spec.h:
