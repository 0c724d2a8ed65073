build-san/obj/design/systems/knomial.o: design/systems/knomial.c \
  design/systems/knomial.h design/systems/target.h base/error.h \
  design/search/baselines.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/shape.h design/systems/least_tree.h

design/systems/knomial.h:

design/systems/target.h:

base/error.h:

design/search/baselines.h:

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

design/systems/shape.h:

design/systems/least_tree.h:
