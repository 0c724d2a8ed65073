build-san/obj/model/machine/doubt.o: model/machine/doubt.c \
  model/machine/doubt.h base/error.h base/array.h base/json.h \
  base/text.h model/machine/params.h model/stats/stats.h

model/machine/doubt.h:

base/error.h:

base/array.h:

base/json.h:

base/text.h:

model/machine/params.h:

model/stats/stats.h:
