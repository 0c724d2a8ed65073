build-san/obj/topo/edges.o: topo/edges.c topo/edges.h topo/names.h \
  base/error.h topo/tree.h base/array.h

topo/edges.h:

topo/names.h:

base/error.h:

topo/tree.h:

base/array.h:
