build-san/obj/tanbench/sampling/timer.o: tanbench/sampling/timer.c \
  tanbench/sampling/timer.h base/clock.h

tanbench/sampling/timer.h:

base/clock.h:
