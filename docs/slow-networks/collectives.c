/* collectives.c - times MPI_Bcast or MPI_Reduce from a common start until the last rank is done
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: collectives bcast|reduce BYTES TIMES
 *
 * Prints the seconds of each. The hosts are namespaces of one machine, so all ranks share its
 * clock. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Let the links become idle, then begin together. */
static double start_together(MPI_Comm comm)
{
    const double pause = 0.3;
    double start = seconds_now() + pause;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm);
    while (seconds_now() < start) {
        nanosleep(&(const struct timespec){0, 200000}, NULL);
    }
    return start;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int bytes = argc == 4 ? atoi(argv[2]) : 0;
    char *given = calloc((size_t)bytes + 1, 1);
    char *result = calloc((size_t)bytes + 1, 1);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (bytes < 1 || given == NULL || result == NULL) {
        fprintf(stderr, "usage: collectives bcast|reduce BYTES TIMES\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < atoi(argv[3]); i++) {
        const double start = start_together(MPI_COMM_WORLD);
        if (strcmp(argv[1], "bcast") == 0) {
            MPI_Bcast(given, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        } else {
            MPI_Reduce(given, result, bytes, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
        }
        double took = seconds_now() - start;
        double longest;
        MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            printf("took %.4f\n", longest);
        }
    }
    free(given);
    free(result);
    return MPI_Finalize();
}
