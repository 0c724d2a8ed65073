build-san/obj/model/fit/p2p_fit.o: model/fit/p2p_fit.c \
  model/fit/p2p_fit.h model/machine/p2p.h base/error.h \
  model/machine/loggp.h model/stats/stats.h model/stats/regression.h

model/fit/p2p_fit.h:

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:

model/stats/regression.h:
