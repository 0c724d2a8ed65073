build-san/obj/model/fit/tree_paths.o: model/fit/tree_paths.c \
  model/fit/tree_paths.h topo/tree.h base/error.h base/array.h

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

base/array.h:
