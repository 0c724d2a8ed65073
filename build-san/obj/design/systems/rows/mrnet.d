build-san/obj/design/systems/rows/mrnet.o: design/systems/rows/mrnet.c \
  design/systems/setting_tree.h design/systems/target.h base/error.h \
  design/search/baselines.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h topo/file.h

design/systems/setting_tree.h:

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

topo/file.h:
