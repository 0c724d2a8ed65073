/* collective_time.c - MPI program for smpirun: how long a collective operation takes from a common
 * start SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collective_time reduce|bcast: prints the microseconds until the last rank has returned from the
 * second of two, since the first may create communicators. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* All ranks share the simulated clock. */
static void sleep_until(double at)
{
    const double seconds = at - MPI_Wtime();
    const time_t whole = (time_t)seconds;
    const struct timespec rest = {.tv_sec = whole,
                                  .tv_nsec = (long)(1e9 * (seconds - (double)whole))};
    nanosleep(&rest, NULL);
}

int main(int argc, char **argv)
{
    const int reduce = argc > 1 && strcmp(argv[1], "reduce") == 0;
    double value = 1, sum, took = 0, last = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int second = 1; second <= 2; second++) {
        sleep_until(second);
        if (reduce) {
            MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        } else {
            MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
        took = MPI_Wtime() - second;
    }
    MPI_Reduce(&took, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%.2f\n", 1e6 * last);
    }
    MPI_Finalize();
    return 0;
}
