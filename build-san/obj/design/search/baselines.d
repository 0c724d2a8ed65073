build-san/obj/design/search/baselines.o: design/search/baselines.c \
  design/search/baselines.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h

design/search/baselines.h:

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
