build-san/obj/topo/place.o: topo/place.c topo/place.h topo/rack_list.h \
  base/error.h topo/names.h topo/tree.h base/text.h

topo/place.h:

topo/rack_list.h:

base/error.h:

topo/names.h:

topo/tree.h:

base/text.h:
