build-san/obj/tanbench/results/distance.o: tanbench/results/distance.c \
  tanbench/results/distance.h model/wave/sites.h base/error.h \
  model/machine/params.h model/stats/stats.h topo/rack_list.h \
  topo/names.h topo/tree.h base/text.h

tanbench/results/distance.h:

model/wave/sites.h:

base/error.h:

model/machine/params.h:

model/stats/stats.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

base/text.h:
