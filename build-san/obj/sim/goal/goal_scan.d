build-san/obj/sim/goal/goal_scan.o: sim/goal/goal_scan.c \
  sim/goal/goal_scan.h base/error.h sim/goal/source.h \
  sim/schedule/schedule.h sim/goal/goal_internal.h sim/goal/goal.h

sim/goal/goal_scan.h:

base/error.h:

sim/goal/source.h:

sim/schedule/schedule.h:

sim/goal/goal_internal.h:

sim/goal/goal.h:
