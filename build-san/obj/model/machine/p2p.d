build-san/obj/model/machine/p2p.o: model/machine/p2p.c \
  model/machine/p2p.h base/error.h model/machine/loggp.h \
  model/stats/stats.h base/text.h

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:

base/text.h:
