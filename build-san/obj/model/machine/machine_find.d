build-san/obj/model/machine/machine_find.o: \
  model/machine/machine_find.c base/output.h base/error.h base/text.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h

base/output.h:

base/error.h:

base/text.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:
