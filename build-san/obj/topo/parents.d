build-san/obj/topo/parents.o: topo/parents.c topo/file.h topo/tree.h \
  base/error.h base/csv.h base/json.h base/units.h topo/edges.h \
  topo/names.h

topo/file.h:

topo/tree.h:

base/error.h:

base/csv.h:

base/json.h:

base/units.h:

topo/edges.h:

topo/names.h:
