build-san/obj/sim/goal/labels.o: sim/goal/labels.c sim/goal/labels.h \
  base/error.h base/map.h sim/schedule/schedule.h base/array.h \
  sim/schedule/arrays.h sim/schedule/schedule_internal.h

sim/goal/labels.h:

base/error.h:

base/map.h:

sim/schedule/schedule.h:

base/array.h:

sim/schedule/arrays.h:

sim/schedule/schedule_internal.h:
