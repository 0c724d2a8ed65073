build-san/obj/sim/sensitivity/cost.o: sim/sensitivity/cost.c \
  sim/sensitivity/cost.h base/error.h sim/schedule/params.h \
  model/machine/doubt.h sim/schedule/schedule.h sim/view/critical_path.h \
  sim/engine/simulation.h sim/schedule/times.h

sim/sensitivity/cost.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/view/critical_path.h:

sim/engine/simulation.h:

sim/schedule/times.h:
