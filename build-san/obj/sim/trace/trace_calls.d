build-san/obj/sim/trace/trace_calls.o: sim/trace/trace_calls.c \
  sim/trace/trace_calls.h base/error.h model/machine/doubt.h

sim/trace/trace_calls.h:

base/error.h:

model/machine/doubt.h:
