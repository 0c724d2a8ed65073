build-san/obj/cmd/tan-design/wave_messages.o: \
  cmd/tan-design/wave_messages.c cmd/tan-design/wave_messages.h \
  answer/answer.h answer/fields.h base/json.h base/error.h \
  design/search/plan.h model/wave/wave.h model/machine/machine.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  model/wave/sites.h topo/rack_list.h topo/names.h topo/tree.h \
  answer/phrases.h base/table.h base/reply.h design/choice/design.h \
  design/choice/loss.h design/search/search.h design/search/any_shape.h \
  design/search/sensitivity.h design/search/spread.h \
  design/systems/thumb.h design/search/baselines.h \
  design/choice/design_doubts.h design/choice/forecast.h \
  model/wave/payload.h model/machine/p2p.h model/machine/loggp.h \
  design/choice/hosted.h topo/place.h design/choice/pareto.h \
  design/systems/rules.h design/systems/choose.h \
  design/systems/least_tree.h design/systems/target.h \
  design/systems/shape.h design/systems/setting_answer.h \
  design/systems/export.h topo/file.h design/systems/failures.h \
  model/machine/given.h cmd/tan-design/config.h base/cli.h base/text.h \
  topo/hostfile.h topo/hostlist.h answer/messages.h

cmd/tan-design/wave_messages.h:

answer/answer.h:

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

design/choice/design.h:

design/choice/loss.h:

design/search/search.h:

design/search/any_shape.h:

design/search/sensitivity.h:

design/search/spread.h:

design/systems/thumb.h:

design/search/baselines.h:

design/choice/design_doubts.h:

design/choice/forecast.h:

model/wave/payload.h:

model/machine/p2p.h:

model/machine/loggp.h:

design/choice/hosted.h:

topo/place.h:

design/choice/pareto.h:

design/systems/rules.h:

design/systems/choose.h:

design/systems/least_tree.h:

design/systems/target.h:

design/systems/shape.h:

design/systems/setting_answer.h:

design/systems/export.h:

topo/file.h:

design/systems/failures.h:

model/machine/given.h:

cmd/tan-design/config.h:

base/cli.h:

base/text.h:

topo/hostfile.h:

topo/hostlist.h:

answer/messages.h:
