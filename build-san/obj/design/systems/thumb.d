build-san/obj/design/systems/thumb.o: design/systems/thumb.c \
  design/systems/thumb.h design/search/baselines.h design/search/plan.h \
  model/wave/wave.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  base/text.h design/systems/target.h

design/systems/thumb.h:

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

base/text.h:

design/systems/target.h:
