build-san/obj/design/choice/loss.o: design/choice/loss.c \
  design/choice/loss.h design/search/search.h design/search/plan.h \
  model/wave/wave.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h

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
