build-san/mpi/mpicc.mpich/obj/tanbench/ranks/sockets.o: \
  tanbench/ranks/sockets.c tanbench/ranks/sockets.h base/array.h

tanbench/ranks/sockets.h:

base/array.h:
