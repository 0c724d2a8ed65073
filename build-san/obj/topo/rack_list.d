build-san/obj/topo/rack_list.o: topo/rack_list.c topo/rack_list.h \
  base/error.h topo/names.h base/array.h base/output.h topo/hostlist.h

topo/rack_list.h:

base/error.h:

topo/names.h:

base/array.h:

base/output.h:

topo/hostlist.h:
