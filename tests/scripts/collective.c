/* collective.c - MPI program: one reduction to rank 0 and one broadcast from it
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collective [INTS]: by the calls that block, of so many ints (1); collective nonblocking: of one
 * int by those that do not. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int wait = argc < 2 || strcmp(argv[1], "nonblocking") != 0;
    const int n = wait && argc > 1 ? atoi(argv[1]) : 1;
    int *ones = calloc((size_t)n, sizeof *ones);
    int *sums = calloc((size_t)n, sizeof *sums);
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ones == NULL || sums == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    ones[n - 1] = 1;
    if (wait) {
        MPI_Reduce(ones, sums, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(sums, n, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Ireduce(ones, sums, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Ibcast(sums, n, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    const int sum = sums[n - 1];
    free(ones);
    free(sums);
    MPI_Finalize();
    return sum == ranks ? 0 : 1;
}
