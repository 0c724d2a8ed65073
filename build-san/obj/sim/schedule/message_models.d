build-san/obj/sim/schedule/message_models.o: \
  sim/schedule/message_models.c sim/schedule/message_models.h \
  base/error.h model/machine/machine.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h sim/schedule/params.h \
  sim/schedule/schedule.h base/array.h model/machine/p2p.h \
  model/machine/loggp.h

sim/schedule/message_models.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

sim/schedule/params.h:

sim/schedule/schedule.h:

base/array.h:

model/machine/p2p.h:

model/machine/loggp.h:
