/* cg.c - conjugate gradients on a distributed grid: halo exchanges and reductions
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: cg ROWS COLUMNS ITERATIONS MICROSECONDS. Solves the five-point Laplacian with ones on the
 * right; each rank has ROWS rows, and a multiplication stands for one of MICROSECONDS. Prints the
 * residual and the time. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

static int rank, ranks, rows, columns;
static long microseconds;

/* y = A x; x has a row above and one below, which are exchanged first. */
static void multiply(double *x, double *y)
{
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];
    MPI_Irecv(x, columns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(x + (rows + 1) * columns, columns, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(x + columns, columns, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(x + rows * columns, columns, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    compute(microseconds);
    for (int i = 1; i <= rows; i++) {
        for (int k = 0; k < columns; k++) {
            const double *at = x + i * columns + k;
            y[i * columns + k] = 4.0 * at[0] - at[-columns] - at[columns] - (k > 0 ? at[-1] : 0.0) -
                                 (k + 1 < columns ? at[1] : 0.0);
        }
    }
}

static double dot(const double *x, const double *y)
{
    double here = 0.0;
    double all;
    for (int i = columns; i < (rows + 1) * columns; i++) {
        here += x[i] * y[i];
    }
    MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rows = argc > 1 ? atoi(argv[1]) : 100;
    columns = argc > 2 ? atoi(argv[2]) : 100;
    const int iterations = argc > 3 ? atoi(argv[3]) : 50;
    microseconds = argc > 4 ? atol(argv[4]) : 0;
    const int n = (rows + 2) * columns;
    double *x = calloc(n, sizeof *x);
    double *r = calloc(n, sizeof *r);
    double *p = calloc(n, sizeof *p);
    double *q = calloc(n, sizeof *q);
    for (int i = columns; i < (rows + 1) * columns; i++) {
        r[i] = p[i] = 1.0;
    }
    const double begin = begin_run();
    double residual = dot(r, r);
    for (int i = 0; i < iterations; i++) {
        multiply(p, q);
        const double alpha = residual / dot(p, q);
        for (int k = columns; k < (rows + 1) * columns; k++) {
            x[k] += alpha * p[k];
            r[k] -= alpha * q[k];
        }
        const double next = dot(r, r);
        const double beta = next / residual;
        residual = next;
        for (int k = columns; k < (rows + 1) * columns; k++) {
            p[k] = r[k] + beta * p[k];
        }
    }
    end_run(begin);
    if (rank == 0) {
        printf("residual %g\n", sqrt(residual));
    }
    MPI_Finalize();
    return 0;
}
