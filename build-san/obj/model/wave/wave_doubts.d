build-san/obj/model/wave/wave_doubts.o: model/wave/wave_doubts.c \
  model/wave/wave_doubts.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h base/units.h model/wave/payload.h model/machine/p2p.h \
  model/machine/loggp.h

model/wave/wave_doubts.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

base/units.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
