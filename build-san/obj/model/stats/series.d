build-san/obj/model/stats/series.o: model/stats/series.c \
  model/stats/series.h base/error.h model/stats/stats.h

model/stats/series.h:

base/error.h:

model/stats/stats.h:
