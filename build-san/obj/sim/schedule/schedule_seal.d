build-san/obj/sim/schedule/schedule_seal.o: \
  sim/schedule/schedule_seal.c base/map.h sim/schedule/arrays.h \
  base/error.h sim/schedule/schedule.h sim/schedule/schedule_internal.h

base/map.h:

sim/schedule/arrays.h:

base/error.h:

sim/schedule/schedule.h:

sim/schedule/schedule_internal.h:
