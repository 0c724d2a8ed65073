build-san/obj/model/wave/payload.o: model/wave/payload.c \
  model/wave/payload.h model/machine/p2p.h base/error.h \
  model/machine/loggp.h model/stats/stats.h base/text.h

model/wave/payload.h:

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:

base/text.h:
