build-san/obj/sim/schedule/arrays.o: sim/schedule/arrays.c \
  sim/schedule/arrays.h base/error.h

sim/schedule/arrays.h:

base/error.h:
