build-san/mpi/mpicc.mpich/obj/tanbench/host/machine_file.o: \
  tanbench/host/machine_file.c tanbench/host/machine_file.h base/error.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h base/json.h

tanbench/host/machine_file.h:

base/error.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

base/json.h:
