build-san/obj/topo/tree.o: topo/tree.c topo/tree.h base/error.h

topo/tree.h:

base/error.h:
