build-san/obj/sim/engine/link_options.o: sim/engine/link_options.c \
  sim/engine/link_options.h base/error.h sim/schedule/params.h \
  model/machine/doubt.h base/units.h sim/schedule/times.h \
  sim/schedule/schedule.h

sim/engine/link_options.h:

base/error.h:

sim/schedule/params.h:

model/machine/doubt.h:

base/units.h:

sim/schedule/times.h:

sim/schedule/schedule.h:
