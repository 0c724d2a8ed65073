build-san/obj/sim/view/path_shares.o: sim/view/path_shares.c \
  sim/view/path_shares.h base/error.h sim/view/critical_path.h \
  sim/engine/simulation.h sim/schedule/params.h model/machine/doubt.h \
  sim/schedule/schedule.h base/array.h base/json.h base/map.h \
  base/table.h base/text.h sim/schedule/times.h

sim/view/path_shares.h:

base/error.h:

sim/view/critical_path.h:

sim/engine/simulation.h:

sim/schedule/params.h:

model/machine/doubt.h:

sim/schedule/schedule.h:

base/array.h:

base/json.h:

base/map.h:

base/table.h:

base/text.h:

sim/schedule/times.h:
