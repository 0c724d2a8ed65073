build-san/obj/model/stats/stats.o: model/stats/stats.c \
  model/stats/stats.h base/error.h

model/stats/stats.h:

base/error.h:
