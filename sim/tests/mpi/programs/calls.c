/* calls.c - one of every call recorded by libtantrace.so
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints "right" on rank 0 where every result is what MPI says. For any number of ranks >= 2. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void want(int right)
{
    wrong += !right;
}

static void messages(int rank, int ranks, MPI_Comm comm)
{
    const int next = (rank + 1) % ranks;
    const int last = (rank + ranks - 1) % ranks;
    int out = rank;
    int in[4] = {-1, -1, -1, -1};
    int flag = 0;
    int index;
    int count;
    int indices[2];
    char buffer[256];
    void *detached;
    int size;
    MPI_Request r[2];
    MPI_Status status;
    MPI_Status statuses[2];
    MPI_Sendrecv(&out, 1, MPI_INT, next, 1, in, 1, MPI_INT, last, 1, comm, &status);
    want(in[0] == last && status.MPI_SOURCE == last);
    in[0] = rank;
    MPI_Sendrecv_replace(in, 1, MPI_INT, next, 2, last, 2, comm, MPI_STATUS_IGNORE);
    want(in[0] == last);
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 3, comm, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 1, MPI_INT, last, 4, comm, &r[0]);
    MPI_Ssend(&out, 1, MPI_INT, MPI_PROC_NULL, 4, comm);
    MPI_Issend(&out, 1, MPI_INT, next, 4, comm, &r[1]);
    MPI_Waitany(2, r, &index, &status);
    MPI_Waitany(2, r, &index, &status);
    want(in[0] == last);
    MPI_Irecv(in, 1, MPI_INT, last, 5, comm, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 5, comm, &r[1]);
    for (int done = 0; done < 2; done += count) {
        MPI_Waitsome(2, r, &count, indices, statuses);
    }
    MPI_Irecv(in, 1, MPI_INT, last, 6, comm, &r[0]);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(&out, 1, MPI_INT, next, 6, comm);
    while (!flag) {
        MPI_Test(&r[0], &flag, &status);
    }
    MPI_Buffer_detach(&detached, &size);
    MPI_Isend(&out, 1, MPI_INT, next, 7, comm, &r[0]);
    for (flag = 0; !flag;) {
        MPI_Iprobe(last, 7, comm, &flag, &status);
    }
    MPI_Probe(MPI_ANY_SOURCE, 7, comm, &status);
    MPI_Recv(in, 4, MPI_INT, status.MPI_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Recv_init(in, 1, MPI_INT, last, 8, comm, &r[0]);
    MPI_Send_init(&out, 1, MPI_INT, next, 8, comm, &r[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&r[0]);
        MPI_Startall(1, &r[1]);
        for (flag = 0; !flag;) {
            MPI_Testall(2, r, &flag, statuses);
        }
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Irecv(in, 1, MPI_INT, last, 9, comm, &r[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 9, comm, &r[1]);
    for (int done = 0; done < 1;) {
        MPI_Testany(2, r, &index, &flag, &status);
        done += flag && index == MPI_UNDEFINED;
    }
    MPI_Irecv(in, 1, MPI_INT, last, 10, comm, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], &status);
}

static void collectives(int rank, int ranks, MPI_Comm comm)
{
    int one = rank + 1;
    int all = 0;
    int *many = calloc((size_t)ranks * 4, sizeof *many);
    int *counts = calloc((size_t)ranks * 2, sizeof *counts);
    int *places = counts + ranks;
    MPI_Request r;
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    MPI_Barrier(comm);
    MPI_Ibarrier(comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    all = rank == 1 ? 7 : 0;
    MPI_Bcast(&all, 1, MPI_INT, 1, comm);
    want(all == 7);
    MPI_Reduce(&one, &all, 1, MPI_INT, MPI_SUM, 1, comm);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    want(all == ranks * (ranks + 1) / 2);
    all = one;
    MPI_Iallreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    want(all == ranks * (ranks + 1) / 2);
    MPI_Scan(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    want(all == one * (one + 1) / 2);
    MPI_Exscan(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    MPI_Gather(&one, 1, MPI_INT, many, 1, MPI_INT, 0, comm);
    MPI_Scatter(many, 1, MPI_INT, &all, 1, MPI_INT, 0, comm);
    want(all == one);
    MPI_Gatherv(&one, 1, MPI_INT, many, counts, places, MPI_INT, 0, comm);
    MPI_Scatterv(many, counts, places, MPI_INT, &all, 1, MPI_INT, 0, comm);
    want(all == one);
    MPI_Allgather(&one, 1, MPI_INT, many, 1, MPI_INT, comm);
    want(many[ranks - 1] == ranks);
    MPI_Allgatherv(&one, 1, MPI_INT, many, counts, places, MPI_INT, comm);
    MPI_Alltoall(many, 1, MPI_INT, many + ranks, 1, MPI_INT, comm);
    want(many[2 * ranks - 1] == one);
    MPI_Alltoallv(many, counts, places, MPI_INT, many + ranks, counts, places, MPI_INT, comm);
    want(many[2 * ranks - 1] == one);
    MPI_Reduce_scatter(many, &all, counts, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(many, &all, 1, MPI_INT, MPI_SUM, comm);
    free(many);
    free(counts);
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    MPI_Comm half;
    MPI_Comm copy;
    MPI_Comm grid;
    int dims[1] = {0};
    int periods[1] = {1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    messages(rank, ranks, MPI_COMM_WORLD);
    collectives(rank, ranks, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    messages(rank, ranks, copy);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    int half_ranks;
    int half_rank;
    MPI_Comm_size(half, &half_ranks);
    MPI_Comm_rank(half, &half_rank);
    if (half_ranks > 1) {
        messages(half_rank, half_ranks, half);
        collectives(half_rank, half_ranks, half);
    }
    MPI_Comm_free(&half);
    dims[0] = ranks;
    MPI_Cart_create(copy, 1, dims, periods, 0, &grid);
    messages(rank, ranks, grid);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&copy);
    int all;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(all == 0 ? "right" : "wrong");
    }
    MPI_Finalize();
    return 0;
}
