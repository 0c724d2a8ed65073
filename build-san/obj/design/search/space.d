build-san/obj/design/search/space.o: design/search/space.c \
  design/search/space.h design/search/bounds.h design/search/plan.h \
  model/wave/wave.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  design/search/paths.h base/array.h design/search/limits.h

design/search/space.h:

design/search/bounds.h:

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

design/search/paths.h:

base/array.h:

design/search/limits.h:
