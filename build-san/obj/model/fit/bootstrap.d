build-san/obj/model/fit/bootstrap.o: model/fit/bootstrap.c \
  model/fit/fit_internal.h model/fit/fit.h model/fit/tree_paths.h \
  topo/tree.h base/error.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/stats/regression.h

model/fit/fit_internal.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/stats/regression.h:
