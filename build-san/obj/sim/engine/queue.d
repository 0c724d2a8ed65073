build-san/obj/sim/engine/queue.o: sim/engine/queue.c \
  sim/engine/queue.h sim/schedule/schedule.h base/error.h \
  sim/schedule/arrays.h

sim/engine/queue.h:

sim/schedule/schedule.h:

base/error.h:

sim/schedule/arrays.h:
