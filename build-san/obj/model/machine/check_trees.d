build-san/obj/model/machine/check_trees.o: model/machine/check_trees.c \
  model/machine/machine.h base/error.h model/machine/doubt.h \
  model/machine/params.h model/stats/stats.h base/text.h base/units.h

model/machine/machine.h:

base/error.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/text.h:

base/units.h:
