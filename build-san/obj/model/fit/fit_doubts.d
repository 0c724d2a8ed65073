build-san/obj/model/fit/fit_doubts.o: model/fit/fit_doubts.c \
  model/fit/fit_internal.h model/fit/fit.h model/fit/tree_paths.h \
  topo/tree.h base/error.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/stats/regression.h \
  model/wave/overlap.h model/wave/sites.h topo/rack_list.h topo/names.h \
  model/wave/wave.h topo/spec.h

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

model/wave/overlap.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

model/wave/wave.h:

topo/spec.h:
