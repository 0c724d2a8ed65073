build-san/obj/cmd/tan-design/checks.o: cmd/tan-design/checks.c \
  cmd/tan-design/config.h base/cli.h base/error.h base/text.h \
  design/choice/pareto.h design/search/search.h design/search/plan.h \
  model/wave/wave.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h design/systems/rules.h \
  design/systems/choose.h design/search/sensitivity.h \
  design/systems/least_tree.h design/systems/target.h \
  design/search/baselines.h design/systems/shape.h model/machine/given.h \
  model/machine/p2p.h model/machine/loggp.h model/wave/payload.h \
  topo/file.h topo/hostfile.h topo/hostlist.h topo/place.h base/units.h \
  cmd/tan-design/tree_output.h design/search/limits.h \
  design/systems/setting.h

cmd/tan-design/config.h:

base/cli.h:

base/error.h:

base/text.h:

design/choice/pareto.h:

design/search/search.h:

design/search/plan.h:

model/wave/wave.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

design/systems/rules.h:

design/systems/choose.h:

design/search/sensitivity.h:

design/systems/least_tree.h:

design/systems/target.h:

design/search/baselines.h:

design/systems/shape.h:

model/machine/given.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/wave/payload.h:

topo/file.h:

topo/hostfile.h:

topo/hostlist.h:

topo/place.h:

base/units.h:

cmd/tan-design/tree_output.h:

design/search/limits.h:

design/systems/setting.h:
