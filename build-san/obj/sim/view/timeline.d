build-san/obj/sim/view/timeline.o: sim/view/timeline.c \
  sim/view/timeline.h base/error.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h \
  sim/view/critical_path.h sim/schedule/times.h

sim/view/timeline.h:

base/error.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/view/critical_path.h:

sim/schedule/times.h:
