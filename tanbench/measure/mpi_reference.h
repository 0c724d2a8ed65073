/* mpi_reference.h - reference measurements of MPI itself: ping-pong and collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_MPI_REFERENCE_H
#define TAN_TANBENCH_MEASURE_MPI_REFERENCE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct mpi_reference;

/* On ranks 0 and `partner`: messages of `bytes`, at least 8, in both directions. `comm` is
 * borrowed. */
struct mpi_reference *mpi_reference_pingpong(MPI_Comm comm, int partner, int64_t bytes,
                                             struct tan_error *e);
/* Collective over the first `ranks` ranks of `comm`: MPI_Bcast and MPI_Reduce of `bytes`. */
struct mpi_reference *mpi_reference_collective(MPI_Comm comm, int ranks, int64_t bytes,
                                               struct tan_error *e);
void mpi_reference_destroy(struct mpi_reference *r);

/* Rank 0: seconds for `rounds` consecutive round trips. If they are the `last`, of which there must
 * then be only one, the others return from mpi_reference_serve. */
double mpi_reference_rounds(struct mpi_reference *r, int64_t rounds, bool last);
/* Every other participant: take part until the last round trip. */
void mpi_reference_serve(struct mpi_reference *r);

#endif
