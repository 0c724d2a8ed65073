build-san/obj/design/search/any_shape.o: design/search/any_shape.c \
  design/search/any_shape.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h design/search/limits.h \
  model/wave/overlap.h model/wave/payload.h model/machine/p2p.h \
  model/machine/loggp.h

design/search/any_shape.h:

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

design/search/limits.h:

model/wave/overlap.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
