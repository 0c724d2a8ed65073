build-san/obj/design/systems/failures.o: design/systems/failures.c \
  design/systems/failures.h design/systems/choose.h \
  design/search/sensitivity.h design/search/search.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  base/error.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/least_tree.h design/systems/target.h \
  design/search/baselines.h design/systems/shape.h

design/systems/failures.h:

design/systems/choose.h:

design/search/sensitivity.h:

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

design/systems/least_tree.h:

design/systems/target.h:

design/search/baselines.h:

design/systems/shape.h:
