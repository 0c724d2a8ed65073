build-san/obj/topo/file.o: topo/file.c topo/file.h topo/tree.h \
  base/error.h base/output.h base/text.h

topo/file.h:

topo/tree.h:

base/error.h:

base/output.h:

base/text.h:
