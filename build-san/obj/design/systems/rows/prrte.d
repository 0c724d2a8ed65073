build-san/obj/design/systems/rows/prrte.o: design/systems/rows/prrte.c \
  design/systems/knomial.h design/systems/target.h base/error.h \
  design/search/baselines.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/setting_answer.h design/systems/export.h \
  design/systems/choose.h design/search/sensitivity.h \
  design/search/search.h design/systems/least_tree.h \
  design/systems/shape.h topo/file.h design/systems/failures.h \
  model/wave/payload.h model/machine/p2p.h model/machine/loggp.h

design/systems/knomial.h:

design/systems/target.h:

base/error.h:

design/search/baselines.h:

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

design/systems/setting_answer.h:

design/systems/export.h:

design/systems/choose.h:

design/search/sensitivity.h:

design/search/search.h:

design/systems/least_tree.h:

design/systems/shape.h:

topo/file.h:

design/systems/failures.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:
