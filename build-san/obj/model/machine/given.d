build-san/obj/model/machine/given.o: model/machine/given.c \
  model/machine/given.h model/machine/machine.h base/error.h \
  model/machine/doubt.h model/machine/params.h model/stats/stats.h \
  base/units.h

model/machine/given.h:

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/units.h:
