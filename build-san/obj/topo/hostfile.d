build-san/obj/topo/hostfile.o: topo/hostfile.c topo/hostfile.h \
  base/error.h topo/hostlist.h topo/names.h base/array.h base/output.h \
  topo/tree.h

topo/hostfile.h:

base/error.h:

topo/hostlist.h:

topo/names.h:

base/array.h:

base/output.h:

topo/tree.h:
