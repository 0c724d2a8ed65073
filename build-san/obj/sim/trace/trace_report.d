build-san/obj/sim/trace/trace_report.o: sim/trace/trace_report.c \
  sim/trace/trace_report.h sim/engine/simulation.h base/error.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h \
  sim/schedule/message_models.h model/machine/machine.h \
  model/machine/params.h model/stats/stats.h sim/trace/trace_schedule.h \
  sim/trace/trace_calls.h base/json.h base/table.h base/units.h

sim/trace/trace_report.h:

sim/engine/simulation.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/schedule/message_models.h:

model/machine/machine.h:

model/machine/params.h:

model/stats/stats.h:

sim/trace/trace_schedule.h:

sim/trace/trace_calls.h:

base/json.h:

base/table.h:

base/units.h:
