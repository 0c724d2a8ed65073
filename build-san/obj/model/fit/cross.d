build-san/obj/model/fit/cross.o: model/fit/cross.c model/fit/fit.h \
  model/fit/tree_paths.h topo/tree.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:
