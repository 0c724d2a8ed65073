build-san/obj/sim/engine/simulate.o: sim/engine/simulate.c \
  sim/engine/simulation.h base/error.h sim/schedule/params.h \
  model/machine/doubt.h sim/schedule/schedule.h base/clock.h \
  sim/engine/match.h sim/engine/simulator.h sim/engine/queue.h

sim/engine/simulation.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

base/clock.h:

sim/engine/match.h:

sim/engine/simulator.h:

sim/engine/queue.h:
