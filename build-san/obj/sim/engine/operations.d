build-san/obj/sim/engine/operations.o: sim/engine/operations.c \
  sim/engine/noise.h base/error.h sim/engine/simulator.h \
  sim/engine/match.h sim/schedule/schedule.h sim/engine/queue.h \
  sim/engine/simulation.h sim/schedule/params.h model/machine/doubt.h

sim/engine/noise.h:

base/error.h:

sim/engine/simulator.h:

sim/engine/match.h:

sim/schedule/schedule.h:

sim/engine/queue.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:
