/* many_calls.c - processor time of calls that MPI completes at once, on one rank
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: many_calls TIMES. Prints a line "CALLS NANOSECONDS" for each kind, per call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double in[2];
static double out[2];
static MPI_Request request[2];
static MPI_Status status[2];
static int found;

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void)
{
    MPI_Bcast(out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allreduce(void)
{
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void send(void)
{
    MPI_Send(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
}

static void sendrecv(void)
{
    MPI_Sendrecv(out, 1, MPI_DOUBLE, 0, 7, in, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, status);
}

static void isend_wait(void)
{
    MPI_Isend(out, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD, request);
    MPI_Wait(request, status);
}

static void irecv_isend_waitall(void)
{
    MPI_Irecv(in, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, status);
}

/* Finds nothing. */
static void iprobe(void)
{
    MPI_Iprobe(0, 8, MPI_COMM_WORLD, &found, status);
}

static const struct kind {
    const char *name;
    void (*call)(void);
    int calls;
} kinds[] = {
    {"Barrier", barrier, 1},
    {"Bcast", bcast, 1},
    {"Allreduce", allreduce, 1},
    {"Send", send, 1},
    {"Sendrecv", sendrecv, 1},
    {"Isend+Wait", isend_wait, 2},
    {"Irecv+Isend+Waitall", irecv_isend_waitall, 3},
    {"Iprobe", iprobe, 1},
};

static double used_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const long times = atol(argv[argc - 1]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        double begin = 0.0;
        for (long k = -times / 10; k < times; k++) {
            begin = k == 0 ? used_ns() : begin;
            kind->call();
        }
        printf("%s %.1f\n", kind->name, (used_ns() - begin) / (double)times / kind->calls);
    }
    MPI_Finalize();
    return 0;
}
