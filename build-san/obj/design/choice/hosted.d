build-san/obj/design/choice/hosted.o: design/choice/hosted.c \
  design/choice/hosted.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h topo/place.h base/array.h \
  design/search/limits.h design/search/search.h model/wave/payload.h \
  model/machine/p2p.h model/machine/loggp.h topo/spec.h

design/choice/hosted.h:

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

topo/place.h:

base/array.h:

design/search/limits.h:

design/search/search.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:

topo/spec.h:
