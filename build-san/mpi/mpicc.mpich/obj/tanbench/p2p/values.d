build-san/mpi/mpicc.mpich/obj/tanbench/p2p/values.o: \
  tanbench/p2p/values.c tanbench/p2p/values.h base/table.h base/error.h \
  model/fit/p2p_fit.h model/machine/p2p.h model/machine/loggp.h \
  model/stats/stats.h base/json.h base/units.h

tanbench/p2p/values.h:

base/table.h:

base/error.h:

model/fit/p2p_fit.h:

model/machine/p2p.h:

model/machine/loggp.h:

model/stats/stats.h:

base/json.h:

base/units.h:
