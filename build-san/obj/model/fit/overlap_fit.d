build-san/obj/model/fit/overlap_fit.o: model/fit/overlap_fit.c \
  base/map.h model/fit/fit_internal.h model/fit/fit.h \
  model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/stats/regression.h model/wave/overlap.h \
  model/wave/sites.h topo/rack_list.h topo/names.h

base/map.h:

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
