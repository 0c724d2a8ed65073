/* sweep.c - wavefronts over a grid of ranks, as in Sweep3D: blocking messages in a pipeline
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: sweep CELLS BLOCKS SWEEPS MICROSECONDS. Each rank has CELLS x CELLS cells in BLOCKS blocks
 * of planes; a block waits for the neighbours to the north and west, in sweeps from every corner,
 * and stands for one of MICROSECONDS. Prints the time. */
#include <stdlib.h>

#include "kernel.h"

static double work(double *cells, int n, double edge)
{
    for (int i = 1; i < n * n; i++) {
        cells[i] = 0.5 * (cells[i] + cells[i - 1]) + edge;
    }
    return cells[n * n - 1];
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    int dims[2] = {0, 0};
    int periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int n = argc > 1 ? atoi(argv[1]) : 50;
    const int blocks = argc > 2 ? atoi(argv[2]) : 8;
    const int sweeps = argc > 3 ? atoi(argv[3]) : 4;
    const long microseconds = argc > 4 ? atol(argv[4]) : 0;
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    double *cells = calloc((size_t)n * (size_t)n, sizeof *cells);
    double *edge = calloc((size_t)n, sizeof *edge);
    int to[2];
    int from[2];
    double sum = 0.0;
    const double begin = begin_run();
    for (int s = 0; s < sweeps; s++) {
        for (int d = 0; d < 2; d++) {
            MPI_Cart_shift(grid, d, (s >> d) % 2 == 0 ? 1 : -1, &from[d], &to[d]);
        }
        for (int b = 0; b < blocks; b++) {
            for (int d = 0; d < 2; d++) {
                MPI_Recv(edge, n, MPI_DOUBLE, from[d], d, grid, MPI_STATUS_IGNORE);
            }
            edge[0] = work(cells, n, edge[0] + 1.0);
            compute(microseconds);
            for (int d = 0; d < 2; d++) {
                MPI_Send(edge, n, MPI_DOUBLE, to[d], d, grid);
            }
        }
    }
    end_run(begin);
    MPI_Reduce(&edge[0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
    if (rank == 0) {
        printf("sum %g\n", sum);
    }
    MPI_Finalize();
    return 0;
}
