build-san/obj/model/fit/waves.o: model/fit/waves.c model/fit/waves.h \
  base/map.h model/fit/fit.h model/fit/tree_paths.h topo/tree.h \
  base/error.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h base/array.h base/units.h \
  topo/spec.h

model/fit/waves.h:

base/map.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/array.h:

base/units.h:

topo/spec.h:
