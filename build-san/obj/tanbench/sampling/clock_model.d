build-san/obj/tanbench/sampling/clock_model.o: \
  tanbench/sampling/clock_model.c tanbench/sampling/clock_model.h \
  base/clock.h

tanbench/sampling/clock_model.h:

base/clock.h:
