build-san/obj/model/wave/overlap.o: model/wave/overlap.c \
  model/wave/overlap.h model/machine/params.h base/error.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h

model/wave/overlap.h:

model/machine/params.h:

base/error.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:
