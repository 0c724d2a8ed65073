build-san/obj/sim/view/critical_path.o: sim/view/critical_path.c \
  sim/view/critical_path.h base/error.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h \
  base/array.h

sim/view/critical_path.h:

base/error.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

base/array.h:
