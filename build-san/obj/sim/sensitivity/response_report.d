build-san/obj/sim/sensitivity/response_report.o: \
  sim/sensitivity/response_report.c sim/sensitivity/response.h \
  base/error.h sim/schedule/params.h model/machine/doubt.h \
  sim/schedule/schedule.h sim/sensitivity/cost.h \
  sim/view/critical_path.h sim/engine/simulation.h base/json.h \
  base/table.h base/text.h sim/schedule/times.h

sim/sensitivity/response.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

sim/sensitivity/cost.h:

sim/view/critical_path.h:

sim/engine/simulation.h:

base/json.h:

base/table.h:

base/text.h:

sim/schedule/times.h:
