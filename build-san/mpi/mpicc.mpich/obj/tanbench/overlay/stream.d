build-san/mpi/mpicc.mpich/obj/tanbench/overlay/stream.o: \
  tanbench/overlay/stream.c tanbench/overlay/stream.h base/error.h \
  tanbench/overlay/overlay.h tanbench/plan/emulation.h \
  model/machine/machine.h model/machine/doubt.h model/machine/params.h \
  model/stats/stats.h model/wave/wave.h model/wave/sites.h \
  topo/rack_list.h topo/names.h topo/tree.h tanbench/plan/filter.h \
  tanbench/plan/sync_policy.h tanbench/ranks/wait.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h tanbench/ranks/world.h \
  tanbench/host/cores.h tanbench/plan/rank_map.h \
  tanbench/ranks/doorbell.h tanbench/ranks/sockets.h base/clock.h \
  tanbench/host/core_load.h tanbench/overlay/stream_internal.h \
  tanbench/ranks/machine.h tanbench/ranks/mpi_try.h \
  tanbench/ranks/stop.h

tanbench/overlay/stream.h:

base/error.h:

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

topo/tree.h:

tanbench/plan/filter.h:

tanbench/plan/sync_policy.h:

tanbench/ranks/wait.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

tanbench/ranks/world.h:

tanbench/host/cores.h:

tanbench/plan/rank_map.h:

tanbench/ranks/doorbell.h:

tanbench/ranks/sockets.h:

base/clock.h:

tanbench/host/core_load.h:

tanbench/overlay/stream_internal.h:

tanbench/ranks/machine.h:

tanbench/ranks/mpi_try.h:

tanbench/ranks/stop.h:
