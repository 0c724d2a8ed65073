build-san/obj/topo/mrnet.o: topo/mrnet.c topo/file.h topo/tree.h \
  base/error.h topo/edges.h topo/names.h

topo/file.h:

topo/tree.h:

base/error.h:

topo/edges.h:

topo/names.h:
