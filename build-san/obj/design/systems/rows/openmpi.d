build-san/obj/design/systems/rows/openmpi.o: \
  design/systems/rows/openmpi.c design/systems/knomial.h \
  design/systems/target.h base/error.h design/search/baselines.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  design/systems/rules.h design/systems/choose.h \
  design/search/sensitivity.h design/search/search.h \
  design/systems/least_tree.h design/systems/shape.h \
  design/systems/setting.h

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

design/systems/rules.h:

design/systems/choose.h:

design/search/sensitivity.h:

design/search/search.h:

design/systems/least_tree.h:

design/systems/shape.h:

design/systems/setting.h:
