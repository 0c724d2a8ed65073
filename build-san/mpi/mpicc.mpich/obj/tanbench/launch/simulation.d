build-san/mpi/mpicc.mpich/obj/tanbench/launch/simulation.o: \
  tanbench/launch/simulation.c tanbench/launch/simulation.h base/error.h \
  base/json.h tanbench/launch/launch.h base/output.h base/text.h \
  base/units.h topo/hostfile.h topo/hostlist.h topo/names.h

tanbench/launch/simulation.h:

base/error.h:

base/json.h:

tanbench/launch/launch.h:

base/output.h:

base/text.h:

base/units.h:

topo/hostfile.h:

topo/hostlist.h:

topo/names.h:
