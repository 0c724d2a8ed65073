build-san/mpi/mpicc.mpich/obj/tanbench/heal/node.o: tanbench/heal/node.c \
  tanbench/heal/node.h tanbench/heal/mailbox.h tanbench/plan/filter.h \
  base/error.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  base/clock.h tanbench/overlay/overlay.h tanbench/plan/emulation.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h tanbench/plan/sync_policy.h \
  tanbench/plan/failure.h

tanbench/heal/node.h:

tanbench/heal/mailbox.h:

tanbench/plan/filter.h:

base/error.h:

tanbench/ranks/wait.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/ranks/world.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

topo/tree.h:

base/clock.h:

tanbench/overlay/overlay.h:

tanbench/plan/emulation.h:

model/machine/machine.h:

model/machine/doubt.h:

model/machine/params.h:

model/stats/stats.h:

model/wave/wave.h:

model/wave/sites.h:

topo/rack_list.h:

topo/names.h:

tanbench/plan/sync_policy.h:

tanbench/plan/failure.h:
