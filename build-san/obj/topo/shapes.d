build-san/obj/topo/shapes.o: topo/shapes.c topo/spec.h topo/tree.h \
  base/error.h base/array.h base/units.h topo/file.h

topo/spec.h:

topo/tree.h:

base/error.h:

base/array.h:

base/units.h:

topo/file.h:
