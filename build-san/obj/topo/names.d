build-san/obj/topo/names.o: topo/names.c topo/names.h base/error.h \
  base/array.h base/map.h topo/tree.h

topo/names.h:

base/error.h:

base/array.h:

base/map.h:

topo/tree.h:
