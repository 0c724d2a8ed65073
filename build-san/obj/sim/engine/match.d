build-san/obj/sim/engine/match.o: sim/engine/match.c \
  sim/engine/match.h base/error.h sim/schedule/schedule.h \
  sim/schedule/arrays.h

sim/engine/match.h:

base/error.h:

sim/schedule/schedule.h:

sim/schedule/arrays.h:
