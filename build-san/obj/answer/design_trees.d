build-san/obj/answer/design_trees.o: answer/design_trees.c \
  answer/design_trees.h answer/fields.h base/json.h base/error.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  design/choice/forecast.h design/choice/design.h design/choice/loss.h \
  design/search/search.h design/search/any_shape.h \
  design/search/sensitivity.h design/search/spread.h \
  design/systems/thumb.h design/search/baselines.h model/wave/payload.h \
  model/machine/p2p.h model/machine/loggp.h answer/phrases.h \
  base/table.h base/reply.h

answer/design_trees.h:

answer/fields.h:

base/json.h:

base/error.h:

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

design/choice/forecast.h:

design/choice/design.h:

design/choice/loss.h:

design/search/search.h:

design/search/any_shape.h:

design/search/sensitivity.h:

design/search/spread.h:

design/systems/thumb.h:

design/search/baselines.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:

answer/phrases.h:

base/table.h:

base/reply.h:
