build-san/obj/model/stats/regression.o: model/stats/regression.c \
  model/stats/regression.h base/error.h

model/stats/regression.h:

base/error.h:
