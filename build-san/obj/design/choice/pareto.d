build-san/obj/design/choice/pareto.o: design/choice/pareto.c \
  design/choice/pareto.h design/search/search.h design/search/plan.h \
  model/wave/wave.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h

design/choice/pareto.h:

design/search/search.h:

design/search/plan.h:

model/wave/wave.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:
