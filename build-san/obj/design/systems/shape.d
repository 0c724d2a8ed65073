build-san/obj/design/systems/shape.o: design/systems/shape.c \
  design/systems/shape.h design/systems/least_tree.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  base/error.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/target.h design/search/baselines.h \
  base/array.h base/map.h

design/systems/shape.h:

design/systems/least_tree.h:

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

design/systems/target.h:

design/search/baselines.h:

base/array.h:

base/map.h:
