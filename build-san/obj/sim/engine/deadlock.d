build-san/obj/sim/engine/deadlock.o: sim/engine/deadlock.c \
  sim/engine/deadlock.h base/error.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h

sim/engine/deadlock.h:

base/error.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:
