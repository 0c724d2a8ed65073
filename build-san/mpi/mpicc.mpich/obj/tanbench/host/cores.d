build-san/mpi/mpicc.mpich/obj/tanbench/host/cores.o: \
  tanbench/host/cores.c tanbench/host/cores.h

tanbench/host/cores.h:
