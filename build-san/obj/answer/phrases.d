build-san/obj/answer/phrases.o: answer/phrases.c answer/phrases.h \
  base/table.h base/error.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h base/text.h base/units.h design/choice/pareto.h \
  design/search/search.h design/search/limits.h \
  design/systems/least_tree.h design/systems/target.h \
  design/search/baselines.h

answer/phrases.h:

base/table.h:

base/error.h:

design/search/plan.h:

model/wave/wave.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

base/text.h:

base/units.h:

design/choice/pareto.h:

design/search/search.h:

design/search/limits.h:

design/systems/least_tree.h:

design/systems/target.h:

design/search/baselines.h:
