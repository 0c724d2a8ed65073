build-san/mpi/mpicc.mpich/obj/tanbench/ranks/deadline.o: \
  tanbench/ranks/deadline.c tanbench/ranks/deadline.h base/error.h

tanbench/ranks/deadline.h:

base/error.h:
