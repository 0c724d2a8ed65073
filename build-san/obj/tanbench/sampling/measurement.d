build-san/obj/tanbench/sampling/measurement.o: \
  tanbench/sampling/measurement.c tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:
