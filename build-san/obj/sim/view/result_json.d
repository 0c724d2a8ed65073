build-san/obj/sim/view/result_json.o: sim/view/result_json.c \
  base/json.h base/error.h sim/engine/link_options.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/times.h \
  sim/schedule/schedule.h sim/view/result_report.h \
  model/machine/machine.h model/machine/params.h model/stats/stats.h \
  sim/engine/deadlock.h sim/engine/simulation.h \
  sim/loggopsim/compatible.h sim/schedule/message_models.h \
  sim/view/critical_path.h

base/json.h:

base/error.h:

sim/engine/link_options.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/times.h:

sim/schedule/schedule.h:

sim/view/result_report.h:

model/machine/machine.h:

model/machine/params.h:

model/stats/stats.h:

sim/engine/deadlock.h:

sim/engine/simulation.h:

sim/loggopsim/compatible.h:

sim/schedule/message_models.h:

sim/view/critical_path.h:
