build-san/obj/sim/schedule/tree_wave.o: sim/schedule/tree_wave.c \
  sim/schedule/tree_wave.h base/error.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  sim/schedule/params.h sim/schedule/schedule.h topo/tree.h base/text.h \
  model/wave/wave.h model/wave/sites.h topo/rack_list.h topo/names.h

sim/schedule/tree_wave.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

sim/schedule/params.h:

sim/schedule/schedule.h:

topo/tree.h:

base/text.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:
