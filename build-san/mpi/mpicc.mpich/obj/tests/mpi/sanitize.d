build-san/mpi/mpicc.mpich/obj/tests/mpi/sanitize.o: tests/mpi/sanitize.c
