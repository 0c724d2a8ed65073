build-san/obj/design/search/search.o: design/search/search.c \
  design/search/search.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h base/array.h \
  design/search/bounds.h design/search/even.h design/search/limits.h \
  design/search/paths.h design/search/space.h model/wave/overlap.h \
  model/wave/payload.h model/machine/p2p.h model/machine/loggp.h

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

base/array.h:

design/search/bounds.h:

design/search/even.h:

design/search/limits.h:

design/search/paths.h:

design/search/space.h:

model/wave/overlap.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
