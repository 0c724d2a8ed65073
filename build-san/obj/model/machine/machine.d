build-san/obj/model/machine/machine.o: model/machine/machine.c \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h base/json.h base/output.h \
  base/text.h model/machine/p2p.h model/machine/loggp.h

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/json.h:

base/output.h:

base/text.h:

model/machine/p2p.h:

model/machine/loggp.h:
