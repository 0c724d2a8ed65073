build-san/obj/model/wave/wave.o: model/wave/wave.c model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h base/text.h \
  model/wave/overlap.h model/wave/payload.h model/machine/p2p.h \
  model/machine/loggp.h

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

base/text.h:

model/wave/overlap.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
