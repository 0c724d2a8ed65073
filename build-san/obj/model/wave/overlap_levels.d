build-san/obj/model/wave/overlap_levels.o: model/wave/overlap_levels.c \
  model/wave/overlap.h model/machine/params.h base/error.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h model/wave/payload.h model/machine/p2p.h \
  model/machine/loggp.h

model/wave/overlap.h:

model/machine/params.h:

base/error.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
