build-san/mpi/mpicc.mpich/obj/tanbench/ranks/doorbell.o: \
  tanbench/ranks/doorbell.c tanbench/ranks/doorbell.h

tanbench/ranks/doorbell.h:
