build-san/obj/design/systems/least_tree.o: design/systems/least_tree.c \
  design/systems/least_tree.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h design/systems/target.h \
  design/search/baselines.h base/array.h base/map.h \
  design/search/search.h

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

design/search/search.h:
