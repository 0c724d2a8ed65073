build-san/obj/sim/schedule/patterns.o: sim/schedule/patterns.c \
  sim/schedule/patterns.h base/error.h sim/schedule/schedule.h \
  base/text.h base/units.h

sim/schedule/patterns.h:

base/error.h:

sim/schedule/schedule.h:

base/text.h:

base/units.h:
