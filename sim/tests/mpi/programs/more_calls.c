/* more_calls.c - less common calls recorded by libtantrace.so
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

static void matched(int rank, int ranks, MPI_Comm comm)
{
    const int next = (rank + 1) % ranks;
    const int last = (rank + ranks - 1) % ranks;
    int in = -1;
    int flag = 0;
    MPI_Message message;
    MPI_Request r;
    MPI_Request sent;
    MPI_Status status;
    MPI_Isend(&rank, 1, MPI_INT, next, 1, comm, &sent);
    MPI_Mprobe(MPI_ANY_SOURCE, 1, comm, &message, &status);
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    want(in == last && status.MPI_SOURCE == last);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Isend(&rank, 1, MPI_INT, next, 2, comm, &sent);
    for (in = -1; !flag;) {
        MPI_Improbe(last, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE);
    }
    MPI_Imrecv(&in, 1, MPI_INT, &message, &r);
    for (flag = 0; !flag;) {
        MPI_Request_get_status(r, &flag, &status);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    want(in == last);
    MPI_Mprobe(MPI_PROC_NULL, 3, comm, &message, &status);
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    want(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* From MPI_BOTTOM, and none at all. */
static void odd_buffers(int rank, int ranks, MPI_Comm comm)
{
    const int next = (rank + 1) % ranks;
    const int last = (rank + ranks - 1) % ranks;
    int pair[4] = {rank, -1, rank, -1};
    int lengths[2] = {1, 1};
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Get_address(&pair[0], &at[0]);
    MPI_Get_address(&pair[2], &at[1]);
    MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, next, 4, last, 4, comm, MPI_STATUS_IGNORE);
    want(pair[0] == last && pair[1] == -1 && pair[2] == last);
    MPI_Type_free(&type);
    MPI_Sendrecv(NULL, 0, MPI_INT, next, 5, NULL, 0, MPI_INT, last, 5, comm, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 6, comm, MPI_STATUS_IGNORE);
    MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
}

static void typed(int rank, int ranks, MPI_Comm comm)
{
    int *out = calloc((size_t)ranks * 2, sizeof *out);
    int *in = out + ranks;
    int *counts = calloc((size_t)ranks * 2, sizeof *counts);
    int *places = counts + ranks;
    MPI_Datatype *types = calloc((size_t)ranks, sizeof *types);
    MPI_Request r;
    for (int i = 0; i < ranks; i++) {
        out[i] = rank * 100 + i;
        counts[i] = 1;
        places[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types, comm);
    want(in[ranks - 1] == (ranks - 1) * 100 + rank);
    in[ranks - 1] = -1;
    MPI_Ialltoallw(out, counts, places, types, in, counts, places, types, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    want(in[ranks - 1] == (ranks - 1) * 100 + rank);
    free(out);
    free(counts);
    free(types);
}

/* `n` sources and targets each, which are `sources` and `targets`. */
static void neighbours(int rank, int n, const int *sources, const int *targets, MPI_Comm comm)
{
    int out[8];
    int in[8];
    int counts[8];
    int places[8];
    MPI_Aint bytes[8];
    MPI_Datatype types[8];
    MPI_Request r;
    (void)targets;
    for (int i = 0; i < n; i++) {
        out[i] = rank;
        in[i] = -1;
        counts[i] = 1;
        places[i] = i;
        bytes[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, comm);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
    MPI_Neighbor_alltoallw(out, counts, bytes, types, in, counts, bytes, types, comm);
    for (int i = 0; i < n; i++) {
        want(in[i] == (sources[i] == MPI_PROC_NULL ? -1 : sources[i]));
    }
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void topologies(int rank, int ranks, MPI_Comm comm)
{
    int next = (rank + 1) % ranks;
    int last = (rank + ranks - 1) % ranks;
    int dims[1] = {ranks};
    int open[1] = {0};
    int line[2] = {rank > 0 ? rank - 1 : MPI_PROC_NULL,
                   rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL};
    int one = 1;
    MPI_Comm made;
    MPI_Cart_create(comm, 1, dims, open, 0, &made);
    neighbours(rank, 2, line, line, made);
    MPI_Comm_free(&made);
    MPI_Dist_graph_create_adjacent(comm, 1, &last, &one, 1, &next, &one, MPI_INFO_NULL, 0, &made);
    neighbours(rank, 1, &last, &next, made);
    MPI_Comm_free(&made);
    MPI_Dist_graph_create(comm, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    neighbours(rank, 1, &last, &next, made);
    MPI_Comm_free(&made);
}

/* Even ranks and odd ones speak with each other. */
static void groups(int rank, int ranks, MPI_Comm comm)
{
    MPI_Comm half;
    MPI_Comm between;
    MPI_Comm merged;
    MPI_Request r;
    int own;
    int others;
    int in = -1;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 7, &between);
    MPI_Comm_rank(between, &own);
    MPI_Comm_remote_size(between, &others);
    const int peer = own < others ? own : MPI_PROC_NULL;
    MPI_Sendrecv(&rank, 1, MPI_INT, peer, 8, &in, 1, MPI_INT, peer, 8, between, MPI_STATUS_IGNORE);
    want(in == (peer == MPI_PROC_NULL ? -1 : rank % 2 == 0 ? rank + 1 : rank - 1));
    MPI_Intercomm_merge(between, rank % 2, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Comm_idup(comm, &merged, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &in, 1, MPI_INT, MPI_MAX, merged);
    MPI_Comm_free(&merged);
    MPI_Group all;
    MPI_Group some;
    int first[2] = {0, 1};
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 2, first, &some);
    if (rank < 2) {
        MPI_Comm_create_group(comm, some, 9, &merged);
        MPI_Barrier(merged);
        MPI_Comm_free(&merged);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    (void)ranks;
}

#if MPI_VERSION >= 4
static void persistent(int rank, int ranks, MPI_Comm comm)
{
    int in;
    int all = 0;
    MPI_Request r[2];
    MPI_Bcast_init(&in, 1, MPI_INT, 1, comm, MPI_INFO_NULL, &r[0]);
    MPI_Allreduce_init(&rank, &all, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r[1]);
    for (int i = 0; i < 3; i++) {
        in = rank == 1 ? i : -1;
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        want(in == i && all == ranks * (ranks - 1) / 2);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}
#endif

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    matched(rank, ranks, MPI_COMM_WORLD);
    odd_buffers(rank, ranks, MPI_COMM_WORLD);
    typed(rank, ranks, MPI_COMM_WORLD);
    topologies(rank, ranks, MPI_COMM_WORLD);
    groups(rank, ranks, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    persistent(rank, ranks, MPI_COMM_WORLD);
#endif
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(all == 0 ? "right" : "wrong");
    }
    MPI_Finalize();
    return 0;
}
