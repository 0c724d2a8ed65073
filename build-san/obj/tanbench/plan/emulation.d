build-san/obj/tanbench/plan/emulation.o: tanbench/plan/emulation.c \
  tanbench/plan/emulation.h base/error.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h

tanbench/plan/emulation.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:
