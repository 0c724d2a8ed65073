build-san/obj/sim/loggopsim/compatible.o: sim/loggopsim/compatible.c \
  sim/loggopsim/compatible.h base/error.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h \
  sim/engine/match.h sim/engine/queue.h sim/loggopsim/event_heap.h

sim/loggopsim/compatible.h:

base/error.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/engine/match.h:

sim/engine/queue.h:

sim/loggopsim/event_heap.h:
