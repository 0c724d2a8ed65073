build-san/mpi/mpicc.mpich/obj/tanbench/host/core_probe.o: \
  tanbench/host/core_probe.c tanbench/host/core_probe.h base/clock.h \
  tanbench/host/cores.h tanbench/sampling/p2p_samples.h \
  model/fit/p2p_fit.h model/machine/p2p.h base/error.h \
  model/machine/loggp.h model/stats/stats.h

tanbench/host/core_probe.h:

base/clock.h:

tanbench/host/cores.h:

tanbench/sampling/p2p_samples.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

base/error.h:

model/machine/loggp.h:

model/stats/stats.h:
