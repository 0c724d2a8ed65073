build-san/obj/cmd/tan-fit/tan-fit.o: cmd/tan-fit/tan-fit.c base/cli.h \
  base/error.h base/text.h base/json.h base/output.h base/units.h \
  cmd/tan-fit/fit_output.h design/measured/measured.h model/fit/waves.h \
  base/map.h model/fit/fit.h model/fit/tree_paths.h topo/tree.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h design/measured/named_tree.h \
  model/machine/p2p.h model/machine/loggp.h page/report.h topo/spec.h

base/cli.h:

base/error.h:

base/text.h:

base/json.h:

base/output.h:

base/units.h:

cmd/tan-fit/fit_output.h:

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

design/measured/named_tree.h:

model/machine/p2p.h:

model/machine/loggp.h:

page/report.h:

topo/spec.h:
