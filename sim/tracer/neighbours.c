/* neighbours.c - neighbourhood collectives
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of such a call are known exactly: one from each source and one to each destination,
 * all at once. They are recorded in place of the call, with a tag no program can use, and a comment
 * gives the call's name and times. */
#include <stdlib.h>

#include "sim/tracer/calls.h"
#include "sim/tracer/trace_file.h"

enum { NEIGHBOUR_TAG = 0x7ffffffe };

struct neighbours {
    int in, out;
    int *source, *target; /* MPI_PROC_NULL if missing; one array, owned by `source` */
};

static bool make_room(struct neighbours *n, int in, int out)
{
    n->source = malloc(((size_t)in + (size_t)out) * sizeof *n->source + 1);
    n->target = n->source + in;
    n->in = n->source == NULL ? 0 : in;
    n->out = n->source == NULL ? 0 : out;
    return n->source != NULL;
}

static void find_cart(MPI_Comm comm, struct neighbours *n)
{
    int dims = 0;
    PMPI_Cartdim_get(comm, &dims);
    if (make_room(n, 2 * dims, 2 * dims)) {
        for (int i = 0; i < dims; i++) {
            PMPI_Cart_shift(comm, i, 1, &n->source[2 * i], &n->source[2 * i + 1]);
        }
        memcpy(n->target, n->source, 2 * (size_t)dims * sizeof *n->target);
    }
}

static void find_graph(MPI_Comm comm, struct neighbours *n)
{
    int rank;
    int degree = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &degree);
    if (make_room(n, degree, degree)) {
        PMPI_Graph_neighbors(comm, rank, degree, n->source);
        memcpy(n->target, n->source, (size_t)degree * sizeof *n->target);
    }
}

static void find_dist_graph(MPI_Comm comm, struct neighbours *n)
{
    int in = 0;
    int out = 0;
    int weighted;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    int *weights = malloc(((size_t)in + (size_t)out) * sizeof *weights + 1);
    if (weights != NULL && make_room(n, in, out)) {
        PMPI_Dist_graph_neighbors(comm, in, n->source, weights, out, n->target, weights + in);
    }
    free(weights);
}

static struct neighbours neighbours_of(MPI_Comm comm)
{
    struct neighbours n = {.in = 0};
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        find_cart(comm, &n);
    } else if (kind == MPI_GRAPH) {
        find_graph(comm, &n);
    } else if (kind == MPI_DIST_GRAPH) {
        find_dist_graph(comm, &n);
    }
    return n;
}

/* Data exchanged with each neighbour: one count or a list, one type or a list. */
struct amount {
    int count;
    const int *counts;
    MPI_Datatype type;
    const MPI_Datatype *types;
};
#define SAME(n, t)      ((struct amount){.count = n, .type = t})
#define EACH(n, t)      ((struct amount){.counts = n, .type = t})
#define EACH_TYPE(n, t) ((struct amount){.counts = n, .types = t})

static int64_t bytes_of(const struct amount *a, int i)
{
    return (a->counts == NULL ? a->count : a->counts[i]) *
           record_bytes(a->types == NULL ? a->type : a->types[i]);
}

static void write_message(const char *name, int64_t bytes, int peer, MPI_Comm comm, int64_t time,
                          int64_t request)
{
    lines_begin(name, time);
    record_unused();
    record_number(bytes);
    record_type(MPI_BYTE);
    record_rank(peer, comm);
    record_tag(NEIGHBOUR_TAG);
    record_comm_of(comm, false);
    record_unused();
    lines_end(time, request);
}

/* Write the messages, numbered from `first`. */
static void write_messages(int64_t first, const struct neighbours *n, const struct amount *out,
                           const struct amount *in, MPI_Comm comm, int64_t time)
{
    for (int i = 0; i < n->in; i++) {
        write_message("MPI_Irecv", bytes_of(in, i), n->source[i], comm, time, first + i);
    }
    for (int i = 0; i < n->out; i++) {
        write_message("MPI_Isend", bytes_of(out, i), n->target[i], comm, time, first + n->in + i);
    }
}

static void write_exchange(struct call *c, struct amount out, struct amount in, MPI_Comm comm)
{
    struct neighbours n = neighbours_of(comm);
    const int64_t first = requests_new_numbers(n.in + n.out);
    record_replace(c);
    write_messages(first, &n, &out, &in, comm, c->start);
    lines_begin("MPI_Waitall", c->start);
    record_number(n.in + n.out);
    record_unused();
    record_unused();
    record_finish(c);
    for (int i = 0; i < n.in + n.out; i++) {
        requests_named(&(struct pending){.number = first + i});
    }
    free(n.source);
}

/* The call returns once its messages are on their way; completing its request completes them
 * all. */
static void begin_exchange(struct call *c, struct amount out, struct amount in, MPI_Comm comm,
                           MPI_Request request)
{
    struct neighbours n = neighbours_of(comm);
    const int64_t first = requests_new_span(request, n.in + n.out);
    record_replace(c);
    write_messages(first, &n, &out, &in, comm, c->end);
    trace_text("# sent");
    free(n.source);
}

#define NEIGHBOURS(name, iname, parameters, arguments, out, in)                                    \
    CALL(name, (UNPACK parameters), (UNPACK arguments), NOTHING,                                   \
         (write_exchange(&c, out, in, comm);))                                                     \
    CALL(iname, (UNPACK parameters, MPI_Request * request), (UNPACK arguments, request), NOTHING,  \
         (begin_exchange(&c, out, in, comm, *request);))

NEIGHBOURS(Neighbor_allgather, Ineighbor_allgather,
           (const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm), SAME(scount, stype),
           SAME(rcount, rtype))
NEIGHBOURS(Neighbor_alltoall, Ineighbor_alltoall,
           (const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm), SAME(scount, stype),
           SAME(rcount, rtype))
NEIGHBOURS(Neighbor_allgatherv, Ineighbor_allgatherv,
           (const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[],
            const int displs[], MPI_Datatype rtype, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcounts, displs, rtype, comm), SAME(scount, stype),
           EACH(rcounts, rtype))
NEIGHBOURS(Neighbor_alltoallv, Ineighbor_alltoallv,
           (const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype,
            void *rbuf, const int rcounts[], const int rdispls[], MPI_Datatype rtype,
            MPI_Comm comm),
           (sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype, comm),
           EACH(scounts, stype), EACH(rcounts, rtype))
NEIGHBOURS(Neighbor_alltoallw, Ineighbor_alltoallw,
           (const void *sbuf, const int scounts[], const MPI_Aint sdispls[],
            const MPI_Datatype stypes[], void *rbuf, const int rcounts[], const MPI_Aint rdispls[],
            const MPI_Datatype rtypes[], MPI_Comm comm),
           (sbuf, scounts, sdispls, stypes, rbuf, rcounts, rdispls, rtypes, comm),
           EACH_TYPE(scounts, stypes), EACH_TYPE(rcounts, rtypes))
