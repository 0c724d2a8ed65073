build-san/obj/model/fit/fit.o: model/fit/fit.c model/fit/fit.h \
  model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h base/units.h model/fit/fit_internal.h \
  model/stats/regression.h

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/units.h:

model/fit/fit_internal.h:

model/stats/regression.h:
