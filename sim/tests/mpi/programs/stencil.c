/* stencil.c - heat in a periodic 3-D grid: halo exchanges while inner cells are computed
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: stencil CELLS STEPS MICROSECONDS. Each rank has CELLS^3 cells, whose computation in a step
 * stands for one of MICROSECONDS. Prints the heat, which stays the number of cells, and the time.
 */
#include <stdlib.h>

#include "kernel.h"

enum { DIMENSIONS = 3, SIDES = 2 * DIMENSIONS };

static int cells, stride[DIMENSIONS];

/* The layer of cells at this place of a dimension. */
static MPI_Datatype layer(int dimension, int place)
{
    int sizes[DIMENSIONS];
    int parts[DIMENSIONS];
    int starts[DIMENSIONS];
    MPI_Datatype type;
    for (int d = 0; d < DIMENSIONS; d++) {
        sizes[d] = cells + 2;
        parts[d] = d == dimension ? 1 : cells;
        starts[d] = d == dimension ? place : 1;
    }
    MPI_Type_create_subarray(DIMENSIONS, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* A step of time; the sum of the new cells. */
static double update(const double *old, double *new)
{
    double heat = 0.0;
    for (int i = 1; i <= cells; i++) {
        for (int j = 1; j <= cells; j++) {
            for (int k = 1; k <= cells; k++) {
                const int at = i * stride[0] + j * stride[1] + k;
                double around = 0.0;
                for (int d = 0; d < DIMENSIONS; d++) {
                    around += old[at - stride[d]] + old[at + stride[d]];
                }
                new[at] = old[at] / 4.0 + around / 8.0;
                heat += new[at];
            }
        }
    }
    return heat;
}

int main(int argc, char **argv)
{
    int ranks;
    int rank;
    int dims[DIMENSIONS] = {0};
    const int periodic[DIMENSIONS] = {1, 1, 1};
    int neighbour[SIDES];
    MPI_Datatype border[SIDES];
    MPI_Datatype halo[SIDES];
    MPI_Request requests[2 * SIDES];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    cells = argc > 1 ? atoi(argv[1]) : 8;
    const int steps = argc > 2 ? atoi(argv[2]) : 20;
    const long microseconds = argc > 3 ? atol(argv[3]) : 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, DIMENSIONS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, dims, periodic, 0, &grid);
    stride[0] = (cells + 2) * (cells + 2);
    stride[1] = cells + 2;
    stride[2] = 1;
    for (int d = 0; d < DIMENSIONS; d++) {
        MPI_Cart_shift(grid, d, 1, &neighbour[2 * d], &neighbour[2 * d + 1]);
        border[2 * d] = layer(d, 1);
        border[2 * d + 1] = layer(d, cells);
        halo[2 * d] = layer(d, 0);
        halo[2 * d + 1] = layer(d, cells + 1);
    }
    const int n = stride[0] * stride[1];
    double *old = calloc(n, sizeof *old);
    double *new = calloc(n, sizeof *new);
    double heat = 0.0;
    MPI_Comm_rank(grid, &rank);
    for (int i = 0; i < n && rank == 0; i++) {
        old[i] = ranks; /* one cube is hot */
    }
    const double begin = begin_run();
    for (int step = 0; step < steps; step++) {
        for (int side = 0; side < SIDES; side++) {
            /* what this side sends arrives at the opposite one */
            MPI_Irecv(old, 1, halo[side], neighbour[side], side, grid, &requests[side]);
            MPI_Isend(old, 1, border[side], neighbour[side], side ^ 1, grid,
                      &requests[SIDES + side]);
        }
        compute(microseconds); /* of inner cells, which need no neighbours */
        MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
        heat = update(old, new);
        double *const swap = old;
        old = new;
        new = swap;
    }
    end_run(begin);
    double all;
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
    if (rank == 0) {
        printf("heat %.6f of %d\n", all, ranks * cells * cells * cells);
    }
    MPI_Finalize();
    return 0;
}
