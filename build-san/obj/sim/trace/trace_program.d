build-san/obj/sim/trace/trace_program.o: sim/trace/trace_program.c \
  sim/trace/trace_program.h base/error.h sim/schedule/patterns.h \
  sim/schedule/schedule.h sim/trace/trace_calls.h model/machine/doubt.h \
  sim/trace/trace_comms.h base/map.h sim/trace/trace_text.h base/array.h \
  model/machine/p2p.h model/machine/loggp.h model/stats/stats.h \
  sim/schedule/arrays.h

sim/trace/trace_program.h:

base/error.h:

sim/schedule/patterns.h:

sim/schedule/schedule.h:

sim/trace/trace_calls.h:

model/machine/doubt.h:

sim/trace/trace_comms.h:

base/map.h:

sim/trace/trace_text.h:

base/array.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/stats/stats.h:

sim/schedule/arrays.h:
