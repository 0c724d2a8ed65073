build-san/obj/tanbench/plan/failure.o: tanbench/plan/failure.c \
  tanbench/plan/failure.h base/error.h topo/tree.h base/units.h

tanbench/plan/failure.h:

base/error.h:

topo/tree.h:

base/units.h:
