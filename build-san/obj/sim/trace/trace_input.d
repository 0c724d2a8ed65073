build-san/obj/sim/trace/trace_input.o: sim/trace/trace_input.c \
  sim/trace/trace_input.h base/error.h base/array.h base/output.h

sim/trace/trace_input.h:

base/error.h:

base/array.h:

base/output.h:
