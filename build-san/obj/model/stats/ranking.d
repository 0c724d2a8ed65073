build-san/obj/model/stats/ranking.o: model/stats/ranking.c \
  model/stats/ranking.h base/error.h model/stats/stats.h

model/stats/ranking.h:

base/error.h:

model/stats/stats.h:
