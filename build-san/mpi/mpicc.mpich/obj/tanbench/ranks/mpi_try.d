build-san/mpi/mpicc.mpich/obj/tanbench/ranks/mpi_try.o: \
  tanbench/ranks/mpi_try.c tanbench/ranks/mpi_try.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi.h \
  /usr/include/x86_64-linux-gnu/mpich/mpi_proto.h \
  /usr/include/x86_64-linux-gnu/mpich/mpio.h

tanbench/ranks/mpi_try.h:

/usr/include/x86_64-linux-gnu/mpich/mpi.h:

/usr/include/x86_64-linux-gnu/mpich/mpi_proto.h:

/usr/include/x86_64-linux-gnu/mpich/mpio.h:
