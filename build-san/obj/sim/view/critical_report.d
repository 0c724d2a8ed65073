build-san/obj/sim/view/critical_report.o: sim/view/critical_report.c \
  base/table.h base/error.h sim/schedule/times.h sim/schedule/schedule.h \
  sim/view/critical_path.h sim/engine/simulation.h sim/schedule/params.h \
  model/machine/doubt.h

base/table.h:

base/error.h:

sim/schedule/times.h:

sim/schedule/schedule.h:

sim/view/critical_path.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:
