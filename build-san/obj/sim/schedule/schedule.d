build-san/obj/sim/schedule/schedule.o: sim/schedule/schedule.c \
  sim/schedule/schedule.h base/error.h base/units.h \
  sim/schedule/arrays.h sim/schedule/schedule_internal.h

sim/schedule/schedule.h:

base/error.h:

base/units.h:

sim/schedule/arrays.h:

sim/schedule/schedule_internal.h:
