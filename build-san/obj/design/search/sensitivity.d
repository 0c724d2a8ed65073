build-san/obj/design/search/sensitivity.o: design/search/sensitivity.c \
  design/search/sensitivity.h design/search/search.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  base/error.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h

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
