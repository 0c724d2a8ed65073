build-san/obj/topo/hostlist.o: topo/hostlist.c topo/hostlist.h \
  base/error.h base/array.h

topo/hostlist.h:

base/error.h:

base/array.h:
