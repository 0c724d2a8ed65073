/* mode_run.h - a rank's state for the current cell, and its measurement in each mode
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_MODE_RUN_H
#define TAN_TANBENCH_MEASURE_MODE_RUN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/heal/heal.h"
#include "tanbench/host/core_probe.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/overlay/stream.h"
#include "tanbench/plan/plan.h"
#include "tanbench/sampling/sampling.h"

/* `overlay`, `heal` or `reference` is set; none on a rank that takes no part in the cell. */
struct cell_run {
    const struct world *world;
    const struct settings *settings;
    const struct cell *cell;
    const struct tan_tree *tree;
    struct waiter *waiters;     /* one per channel; borrowed */
    int partner;                /* rank 0's partner in a ping-pong */
    struct emulated_link *link; /* of the overlay; NULL: a real link */
    struct overlay *overlay;
    struct stream *stream; /* mode stream; else NULL */
    struct heal *heal;     /* mode failures: in place of the overlay */
    struct mpi_reference *reference;
    struct rank_clock clock;       /* of this rank, compared with rank 0's */
    struct clocks *clocks;         /* rank 0: clocks of all ranks; borrowed */
    const struct timer *timer;     /* rank 0's; borrowed */
    int cores;                     /* cores of the cell's ranks on rank 0's host */
    struct core_probe *core_probe; /* rank 0; borrowed, NULL: interference is not detected */
    double start;                  /* when leaves start to push, on the root's clock */
    /* Root: what has come out of the stream. */
    struct {
        uint64_t whole;        /* number of results that include all leaves */
        struct timing *timing; /* of the pushing */
    } results;
};

/* Times on the root's clock. */
struct round_times {
    double begin; /* before sending the request */
    double heard; /* last leaf's receipt of the request; 0 unless `when` was set */
    double sent;  /* last leaf's send; likewise */
    double end;   /* after reducing all leaves' packets */
};

/* Root: `waves` consecutive waves, timed together; the last one is verified outside the timed
 * interval. For a single wave, `when` (unless 0) is the time at which leaves send or, in the last
 * wave before they push, start pushing. After `last` the followers return. */
int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e);
/* Every other rank: follow until the last wave. */
int rounds_follow(struct cell_run *run, struct tan_error *e);

/* Functions that take an error return 0, or -1 with it. */

/* Rank 0: measure a tree completely: clocks, the mode's own part, packet counts. *m, zero before,
 * has the waves so far if it fails. */
int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e);
/* Every other rank of the tree takes part until rank 0 has finished. */
int mode_follow(struct cell_run *run, struct tan_error *e);

/* Rank 0, between waves. Whether other programs are using the run's cores; false if that is
 * unknown. `context` is the cell_run. */
bool mode_run_disturbed(void *context);
/* Counters of the run's cores and ranks. */
struct core_load mode_run_load(const struct cell_run *run);

/* The parts of modes in files of their own. */
int mode_failures_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_failures_follow(struct cell_run *run, struct tan_error *e);
int mode_oneway_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_follow(struct cell_run *run, struct tan_error *e);
/* Takes the results of a stream at the root (stream_sink); `context` is the cell_run. */
void mode_stream_sink(void *context, const struct packet *result);

/* --- reference measurements of MPI itself: ping-pong and collectives --- */

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
