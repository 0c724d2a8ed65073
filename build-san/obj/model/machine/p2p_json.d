build-san/obj/model/machine/p2p_json.o: model/machine/p2p_json.c \
  base/json.h base/error.h base/text.h model/machine/p2p.h \
  model/machine/loggp.h model/stats/stats.h

base/json.h:

base/error.h:

base/text.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/stats/stats.h:
