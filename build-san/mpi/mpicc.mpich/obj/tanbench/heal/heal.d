build-san/mpi/mpicc.mpich/obj/tanbench/heal/heal.o: tanbench/heal/heal.c \
  tanbench/heal/heal.h tanbench/heal/node.h tanbench/heal/mailbox.h \
  tanbench/plan/filter.h base/error.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h topo/tree.h \
  tanbench/plan/failure.h tanbench/sampling/measurement.h \
  tanbench/sampling/clock_model.h base/clock.h \
  tanbench/overlay/overlay.h tanbench/plan/emulation.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h tanbench/plan/sync_policy.h \
  tanbench/ranks/deadline.h

tanbench/heal/heal.h:

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

tanbench/plan/failure.h:

tanbench/sampling/measurement.h:

tanbench/sampling/clock_model.h:

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

tanbench/ranks/deadline.h:
