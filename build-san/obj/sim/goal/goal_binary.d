build-san/obj/sim/goal/goal_binary.o: sim/goal/goal_binary.c \
  sim/goal/goal_internal.h sim/goal/goal.h base/error.h \
  sim/schedule/schedule.h sim/goal/source.h sim/schedule/arrays.h \
  sim/schedule/schedule_internal.h

sim/goal/goal_internal.h:

sim/goal/goal.h:

base/error.h:

sim/schedule/schedule.h:

sim/goal/source.h:

sim/schedule/arrays.h:

sim/schedule/schedule_internal.h:
