build-san/obj/sim/goal/goal_text_read.o: sim/goal/goal_text_read.c \
  base/output.h base/error.h sim/goal/goal_internal.h sim/goal/goal.h \
  sim/schedule/schedule.h sim/goal/source.h sim/goal/goal_scan.h \
  sim/goal/labels.h base/map.h sim/schedule/arrays.h \
  sim/schedule/schedule_internal.h

base/output.h:

base/error.h:

sim/goal/goal_internal.h:

sim/goal/goal.h:

sim/schedule/schedule.h:

sim/goal/source.h:

sim/goal/goal_scan.h:

sim/goal/labels.h:

base/map.h:

sim/schedule/arrays.h:

sim/schedule/schedule_internal.h:
