build-san/obj/tanbench/plan/filter.o: tanbench/plan/filter.c \
  tanbench/plan/filter.h base/error.h base/clock.h base/text.h

tanbench/plan/filter.h:

base/error.h:

base/clock.h:

base/text.h:
