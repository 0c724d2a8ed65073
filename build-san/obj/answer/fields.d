build-san/obj/answer/fields.o: answer/fields.c answer/fields.h \
  base/json.h base/error.h design/search/plan.h model/wave/wave.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h answer/phrases.h base/table.h base/reply.h

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

answer/phrases.h:

base/table.h:

base/reply.h:
