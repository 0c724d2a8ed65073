build-san/obj/sim/loggopsim/event_heap.o: sim/loggopsim/event_heap.c \
  sim/loggopsim/event_heap.h base/error.h base/array.h

sim/loggopsim/event_heap.h:

base/error.h:

base/array.h:
