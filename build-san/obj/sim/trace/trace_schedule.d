build-san/obj/sim/trace/trace_schedule.o: sim/trace/trace_schedule.c \
  sim/trace/trace_schedule.h base/error.h sim/engine/simulation.h \
  sim/schedule/params.h model/machine/doubt.h sim/schedule/schedule.h \
  sim/trace/trace_calls.h base/array.h sim/trace/trace_program.h \
  sim/schedule/patterns.h sim/trace/trace_comms.h base/map.h \
  sim/trace/trace_text.h

sim/trace/trace_schedule.h:

base/error.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/trace/trace_calls.h:

base/array.h:

sim/trace/trace_program.h:

sim/schedule/patterns.h:

sim/trace/trace_comms.h:

base/map.h:

sim/trace/trace_text.h:
