/* kernel.h - what kernels of applications share: the time of a run, computations of known length
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TESTS_MPI_PROGRAMS_KERNEL_H
#define TAN_SIM_TESTS_MPI_PROGRAMS_KERNEL_H
#include <mpi.h>
#include <stdio.h>
#include <time.h>

/* Stands for a computation of this length, which ranks that share cores do not prolong. */
static inline void compute(long microseconds)
{
    const struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000};
    if (microseconds > 0) {
        nanosleep(&t, NULL);
    }
}

/* When a run begins; all ranks begin together. */
static inline double begin_run(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Prints how many seconds the run has taken, the mean of all ranks. */
static inline void end_run(double begin)
{
    int me;
    int all;
    double sum;
    const double took = MPI_Wtime() - begin;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    MPI_Reduce(&took, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) {
        printf("seconds %.9f\n", sum / all);
    }
}
#endif
