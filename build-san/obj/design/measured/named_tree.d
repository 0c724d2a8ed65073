build-san/obj/design/measured/named_tree.o: design/measured/named_tree.c \
  design/measured/named_tree.h base/units.h base/error.h \
  design/systems/setting.h design/systems/target.h \
  design/search/baselines.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/shape.h design/systems/least_tree.h \
  topo/spec.h

design/measured/named_tree.h:

base/units.h:

base/error.h:

design/systems/setting.h:

design/systems/target.h:

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

topo/spec.h:
