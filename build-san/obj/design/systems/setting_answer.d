build-san/obj/design/systems/setting_answer.o: \
  design/systems/setting_answer.c design/systems/setting_answer.h \
  design/systems/export.h design/systems/choose.h \
  design/search/sensitivity.h design/search/search.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  base/error.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/sites.h topo/rack_list.h topo/names.h \
  topo/tree.h design/systems/least_tree.h design/systems/target.h \
  design/search/baselines.h design/systems/shape.h topo/file.h \
  design/systems/failures.h design/search/any_shape.h \
  design/search/spread.h design/systems/rules.h design/systems/setting.h

design/systems/setting_answer.h:

design/systems/export.h:

design/systems/choose.h:

design/search/sensitivity.h:

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

design/systems/least_tree.h:

design/systems/target.h:

design/search/baselines.h:

design/systems/shape.h:

topo/file.h:

design/systems/failures.h:

design/search/any_shape.h:

design/search/spread.h:

design/systems/rules.h:

design/systems/setting.h:
