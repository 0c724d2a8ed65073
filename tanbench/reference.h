/* reference.h - what MPI itself takes: the ping-pong and the collectives that waves are compared
 * with SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_REFERENCE_H
#define TANBENCH_REFERENCE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct reference;

/* On ranks 0 and `partner`: messages of `bytes` there and back. */
struct reference *reference_pingpong(MPI_Comm comm, int partner, int64_t bytes,
                                     struct tan_error *e);
/* Collective over the first `ranks` ranks of `comm`: MPI_Bcast and MPI_Reduce of `bytes`. */
struct reference *reference_collective(MPI_Comm comm, int ranks, int64_t bytes,
                                       struct tan_error *e);
void reference_destroy(struct reference *r);

/* Rank 0: so many round trips in a row, their time in seconds. After `last`, which wants one round
 * trip, the others' reference_serve returns. */
double reference_rounds(struct reference *r, int64_t rounds, bool last);
/* Every other participant. */
void reference_serve(struct reference *r);

#endif
