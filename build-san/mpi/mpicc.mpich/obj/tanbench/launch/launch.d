build-san/mpi/mpicc.mpich/obj/tanbench/launch/launch.o: \
  tanbench/launch/launch.c tanbench/launch/launch.h base/error.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h base/output.h base/text.h \
  tanbench/host/cores.h tanbench/launch/launch_internal.h \
  tanbench/launch/limits.h

tanbench/launch/launch.h:

base/error.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

base/output.h:

base/text.h:

tanbench/host/cores.h:

tanbench/launch/launch_internal.h:

tanbench/launch/limits.h:
