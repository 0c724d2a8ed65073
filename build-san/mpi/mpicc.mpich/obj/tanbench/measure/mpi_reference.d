build-san/mpi/mpicc.mpich/obj/tanbench/measure/mpi_reference.o: \
  tanbench/measure/mpi_reference.c tanbench/measure/mpi_reference.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h base/error.h base/clock.h \
  tanbench/ranks/mpi_try.h

tanbench/measure/mpi_reference.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:

base/error.h:

base/clock.h:

tanbench/ranks/mpi_try.h:
