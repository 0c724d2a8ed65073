build-san/obj/design/choice/forecast.o: design/choice/forecast.c \
  design/choice/forecast.h design/choice/design.h design/choice/loss.h \
  design/search/search.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h design/search/any_shape.h \
  design/search/sensitivity.h design/search/spread.h \
  design/systems/thumb.h design/search/baselines.h model/wave/payload.h \
  model/machine/p2p.h model/machine/loggp.h topo/spec.h

design/choice/forecast.h:

design/choice/design.h:

design/choice/loss.h:

design/search/search.h:

design/search/plan.h:

model/wave/wave.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

topo/tree.h:

design/search/any_shape.h:

design/search/sensitivity.h:

design/search/spread.h:

design/systems/thumb.h:

design/search/baselines.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:

topo/spec.h:
