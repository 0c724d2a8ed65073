/* simulated_traces.c - MPI program: a wavefront and a halo exchange
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 2000, SWEEPS = 10, STEPS = 10, SIDES = 4 };
enum { WEST, EAST, NORTH, SOUTH };

static char outgoing[BYTES];
static char incoming[SIDES][BYTES];

static void compute(long microseconds)
{
    const struct timespec t = {.tv_nsec = 1000 * microseconds};

    nanosleep(&t, NULL);
}

/* Ranks beside this one, MPI_PROC_NULL where there is none. */
static void find_neighbours(int neighbour[SIDES])
{
    int rank;
    int size;
    int width = 1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (width * width < size) {
        width++;
    }
    neighbour[WEST] = rank % width > 0 ? rank - 1 : MPI_PROC_NULL;
    neighbour[EAST] = rank % width < width - 1 ? rank + 1 : MPI_PROC_NULL;
    neighbour[NORTH] = rank >= width ? rank - width : MPI_PROC_NULL;
    neighbour[SOUTH] = rank < size - width ? rank + width : MPI_PROC_NULL;
}

static void sweep(const int neighbour[SIDES])
{
    MPI_Recv(incoming[WEST], BYTES, MPI_BYTE, neighbour[WEST], 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Recv(incoming[NORTH], BYTES, MPI_BYTE, neighbour[NORTH], 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    compute(30);
    MPI_Send(outgoing, BYTES, MPI_BYTE, neighbour[EAST], 1, MPI_COMM_WORLD);
    MPI_Send(outgoing, BYTES, MPI_BYTE, neighbour[SOUTH], 1, MPI_COMM_WORLD);
}

static void exchange_halo(const int neighbour[SIDES])
{
    MPI_Request requests[2 * SIDES];
    double mine = 1;
    double sum;

    for (int i = 0; i < SIDES; i++) {
        MPI_Irecv(incoming[i], BYTES, MPI_BYTE, neighbour[i], 2, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(outgoing, BYTES, MPI_BYTE, neighbour[i], 2, MPI_COMM_WORLD, &requests[SIDES + i]);
    }
    compute(50);
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        compute(10);
    }
}

int main(int argc, char **argv)
{
    int neighbour[SIDES];

    MPI_Init(&argc, &argv);
    find_neighbours(neighbour);
    for (int i = 0; i < SWEEPS && !strcmp(argv[1], "wavefront"); i++) {
        sweep(neighbour);
    }
    for (int i = 0; i < STEPS && !strcmp(argv[1], "halo"); i++) {
        exchange_halo(neighbour);
    }
    MPI_Finalize();
    return 0;
}
