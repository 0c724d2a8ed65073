build-san/obj/sim/goal/goal.o: sim/goal/goal.c sim/goal/goal.h \
  base/error.h sim/schedule/schedule.h sim/goal/goal_internal.h \
  sim/goal/source.h sim/schedule/times.h

sim/goal/goal.h:

base/error.h:

sim/schedule/schedule.h:

sim/goal/goal_internal.h:

sim/goal/source.h:

sim/schedule/times.h:
