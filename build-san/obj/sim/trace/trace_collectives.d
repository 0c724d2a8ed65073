build-san/obj/sim/trace/trace_collectives.o: \
  sim/trace/trace_collectives.c sim/trace/trace_program.h base/error.h \
  sim/schedule/patterns.h sim/schedule/schedule.h \
  sim/trace/trace_calls.h model/machine/doubt.h sim/trace/trace_comms.h \
  base/map.h sim/trace/trace_text.h base/text.h base/units.h

sim/trace/trace_program.h:

base/error.h:

sim/schedule/patterns.h:

sim/schedule/schedule.h:

sim/trace/trace_calls.h:

model/machine/doubt.h:

sim/trace/trace_comms.h:

base/map.h:

sim/trace/trace_text.h:

base/text.h:

base/units.h:
