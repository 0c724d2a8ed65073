build-san/obj/sim/trace/trace_comms.o: sim/trace/trace_comms.c \
  sim/trace/trace_comms.h base/error.h base/map.h base/array.h

sim/trace/trace_comms.h:

base/error.h:

base/map.h:

base/array.h:
