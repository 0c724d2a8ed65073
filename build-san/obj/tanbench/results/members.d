build-san/obj/tanbench/results/members.o: tanbench/results/members.c \
  tanbench/results/members.h base/error.h base/json.h \
  tanbench/sampling/measurement.h tanbench/sampling/clock_model.h

tanbench/results/members.h:

base/error.h:

base/json.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:
