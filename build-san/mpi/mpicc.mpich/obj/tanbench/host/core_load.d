build-san/mpi/mpicc.mpich/obj/tanbench/host/core_load.o: \
  tanbench/host/core_load.c tanbench/host/core_load.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h base/error.h \
  base/clock.h

tanbench/host/core_load.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

base/error.h:

base/clock.h:
