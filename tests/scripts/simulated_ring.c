/* simulated_ring.c - each rank receives, computes for 100 us and sends: for simulated.sh
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    char byte = 0;
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Recv(&byte, 1, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const struct timespec t = {.tv_nsec = 100000};
    nanosleep(&t, NULL);
    if (rank < size - 1) {
        MPI_Send(&byte, 1, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
