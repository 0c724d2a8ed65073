build-san/obj/cmd/tan-fit/fit_trees.o: cmd/tan-fit/fit_trees.c \
  base/output.h base/error.h cmd/tan-fit/fit_output.h base/json.h \
  design/measured/measured.h model/fit/waves.h base/map.h \
  model/fit/fit.h model/fit/tree_paths.h topo/tree.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/spec.h

base/output.h:

base/error.h:

cmd/tan-fit/fit_output.h:

base/json.h:

design/measured/measured.h:

model/fit/waves.h:

base/map.h:

model/fit/fit.h:

model/fit/tree_paths.h:

topo/tree.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/spec.h:
