build-san/obj/tanbench/sampling/p2p_samples.o: \
  tanbench/sampling/p2p_samples.c tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h model/machine/p2p.h base/error.h \
  model/machine/loggp.h model/stats/stats.h

tanbench/sampling/p2p_samples.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:
