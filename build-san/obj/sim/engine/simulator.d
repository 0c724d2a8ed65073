build-san/obj/sim/engine/simulator.o: sim/engine/simulator.c \
  sim/engine/simulator.h sim/engine/match.h base/error.h \
  sim/schedule/schedule.h sim/engine/queue.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/arrays.h

sim/engine/simulator.h:

sim/engine/match.h:

base/error.h:

sim/schedule/schedule.h:

sim/engine/queue.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/arrays.h:
