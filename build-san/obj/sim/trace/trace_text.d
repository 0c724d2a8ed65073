build-san/obj/sim/trace/trace_text.o: sim/trace/trace_text.c \
  sim/trace/trace_text.h base/error.h model/machine/doubt.h \
  sim/trace/trace_calls.h base/array.h sim/schedule/schedule.h \
  sim/trace/trace_input.h

sim/trace/trace_text.h:

base/error.h:

model/machine/doubt.h:

sim/trace/trace_calls.h:

base/array.h:

sim/schedule/schedule.h:

sim/trace/trace_input.h:
