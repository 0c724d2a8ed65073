build-san/obj/topo/spec.o: topo/spec.c topo/spec.h topo/tree.h \
  base/error.h base/text.h base/units.h

topo/spec.h:

topo/tree.h:

base/error.h:

base/text.h:

base/units.h:
