build-san/obj/topo/clustershell.o: topo/clustershell.c topo/edges.h \
  topo/names.h base/error.h topo/tree.h topo/file.h topo/hostlist.h

topo/edges.h:

topo/names.h:

base/error.h:

topo/tree.h:

topo/file.h:

topo/hostlist.h:
