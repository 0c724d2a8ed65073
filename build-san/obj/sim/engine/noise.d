build-san/obj/sim/engine/noise.o: sim/engine/noise.c sim/engine/noise.h \
  base/error.h base/array.h base/output.h base/text.h base/units.h \
  sim/schedule/schedule.h sim/schedule/times.h

sim/engine/noise.h:

base/error.h:

base/array.h:

base/output.h:

base/text.h:

base/units.h:

sim/schedule/schedule.h:

sim/schedule/times.h:
