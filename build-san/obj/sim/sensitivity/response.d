build-san/obj/sim/sensitivity/response.o: sim/sensitivity/response.c \
  sim/sensitivity/response.h base/error.h sim/schedule/params.h \
  model/machine/doubt.h sim/schedule/schedule.h sim/sensitivity/cost.h \
  sim/view/critical_path.h sim/engine/simulation.h base/array.h

sim/sensitivity/response.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/sensitivity/cost.h:

sim/view/critical_path.h:

sim/engine/simulation.h:

base/array.h:
