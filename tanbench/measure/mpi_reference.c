/* mpi_reference.c - reference measurements of MPI itself: ping-pong and collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include <stdlib.h>

#include "base/clock.h"
#include "tanbench/ranks/mpi_try.h"

struct mpi_reference {
    MPI_Comm comm; /* of the collective's ranks; borrowed in a ping-pong */
    int partner;   /* other rank of the ping-pong; -1: a collective */
    int elements;  /* of a message */
    int64_t *down; /* its first element tells whether this is the last round */
    int64_t *up;
};

static struct mpi_reference *create_reference(int partner, int64_t bytes, struct tan_error *e)
{
    struct mpi_reference *r = calloc(1, sizeof *r);
    size_t elements = bytes < (int64_t)sizeof(int64_t) ? 1 : (size_t)bytes / sizeof(int64_t);
    if (r != NULL) {
        r->comm = MPI_COMM_NULL;
        r->partner = partner;
        r->elements = (int)elements;
        r->down = calloc(elements, sizeof *r->down);
        r->up = calloc(elements, sizeof *r->up);
    }
    if (r == NULL || r->down == NULL || r->up == NULL) {
        mpi_reference_destroy(r);
        tan_fail_nomem(e);
        return NULL;
    }
    return r;
}

struct mpi_reference *mpi_reference_pingpong(MPI_Comm comm, int partner, int64_t bytes,
                                             struct tan_error *e)
{
    int rank;
    struct mpi_reference *r;
    MPI_TRY(MPI_Comm_rank(comm, &rank));
    r = create_reference(rank == 0 ? partner : 0, bytes, e);
    if (r != NULL) {
        r->comm = comm;
    }
    return r;
}

struct mpi_reference *mpi_reference_collective(MPI_Comm comm, int ranks, int64_t bytes,
                                               struct tan_error *e)
{
    MPI_Group all;
    MPI_Group first;
    struct mpi_reference *r = create_reference(-1, bytes, e);
    if (r != NULL) {
        MPI_TRY(MPI_Comm_group(comm, &all));
        MPI_TRY(MPI_Group_range_incl(all, 1, (int[][3]){{0, ranks - 1, 1}}, &first));
        MPI_TRY(MPI_Comm_create_group(comm, first, 0, &r->comm));
        MPI_TRY(MPI_Group_free(&first));
        MPI_TRY(MPI_Group_free(&all));
    }
    return r;
}

void mpi_reference_destroy(struct mpi_reference *r)
{
    if (r != NULL) {
        if (r->partner < 0 && r->comm != MPI_COMM_NULL) {
            MPI_TRY(MPI_Comm_free(&r->comm));
        }
        free(r->down);
        free(r->up);
        free(r);
    }
}

static void exchange_round(struct mpi_reference *r, bool starts)
{
    int n = r->elements;
    if (r->partner < 0) {
        MPI_TRY(MPI_Bcast(r->down, n, MPI_INT64_T, 0, r->comm));
        MPI_TRY(MPI_Reduce(r->down, r->up, n, MPI_INT64_T, MPI_SUM, 0, r->comm));
    } else if (starts) {
        MPI_TRY(MPI_Send(r->down, n, MPI_INT64_T, r->partner, 0, r->comm));
        MPI_TRY(MPI_Recv(r->up, n, MPI_INT64_T, r->partner, 0, r->comm, MPI_STATUS_IGNORE));
    } else {
        MPI_TRY(MPI_Recv(r->down, n, MPI_INT64_T, r->partner, 0, r->comm, MPI_STATUS_IGNORE));
        MPI_TRY(MPI_Send(r->up, n, MPI_INT64_T, r->partner, 0, r->comm));
    }
}

double mpi_reference_rounds(struct mpi_reference *r, int64_t rounds, bool last)
{
    r->down[0] = last;
    double begin = tan_clock_seconds();
    for (int64_t i = 0; i < rounds; i++) {
        exchange_round(r, true);
    }
    return tan_clock_seconds() - begin;
}

void mpi_reference_serve(struct mpi_reference *r)
{
    do {
        exchange_round(r, false);
    } while (!r->down[0]);
}
