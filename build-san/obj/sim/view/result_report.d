build-san/obj/sim/view/result_report.o: sim/view/result_report.c \
  sim/view/result_report.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  sim/engine/deadlock.h sim/engine/simulation.h sim/schedule/params.h \
  sim/schedule/schedule.h sim/loggopsim/compatible.h \
  sim/schedule/message_models.h sim/view/critical_path.h base/table.h \
  base/units.h model/machine/p2p.h model/machine/loggp.h \
  sim/engine/link_options.h sim/schedule/times.h

sim/view/result_report.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

sim/engine/deadlock.h:

sim/engine/simulation.h:

sim/schedule/params.h:

sim/schedule/schedule.h:

sim/loggopsim/compatible.h:

sim/schedule/message_models.h:

sim/view/critical_path.h:

base/table.h:

base/units.h:

model/machine/p2p.h:

model/machine/loggp.h:

sim/engine/link_options.h:

sim/schedule/times.h:
