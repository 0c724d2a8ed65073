build-san/obj/model/machine/params.o: model/machine/params.c \
  model/machine/params.h base/error.h model/stats/stats.h base/text.h

model/machine/params.h:

base/error.h:

model/stats/stats.h:

base/text.h:
