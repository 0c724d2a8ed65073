/* collective.c - MPI program: one reduction to rank 0 and one broadcast from it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

/* By the calls that block; with an argument by the others. */
int main(int argc, char **argv)
{
    int one = 1;
    int sum = 0;
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 1) {
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Ireduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Ibcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return sum == ranks ? 0 : 1;
}
