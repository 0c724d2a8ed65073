build-san/obj/sim/schedule/times.o: sim/schedule/times.c \
  sim/schedule/times.h base/error.h sim/schedule/schedule.h base/units.h

sim/schedule/times.h:

base/error.h:

sim/schedule/schedule.h:

base/units.h:
