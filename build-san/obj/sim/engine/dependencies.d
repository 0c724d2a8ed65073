build-san/obj/sim/engine/dependencies.o: sim/engine/dependencies.c \
  base/array.h sim/engine/simulator.h sim/engine/match.h base/error.h \
  sim/schedule/schedule.h sim/engine/queue.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h

base/array.h:

sim/engine/simulator.h:

sim/engine/match.h:

base/error.h:

sim/schedule/schedule.h:

sim/engine/queue.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:
