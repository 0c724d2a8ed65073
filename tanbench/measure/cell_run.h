/* cell_run.h - one rank's state of the cell that is measured
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_CELL_RUN_H
#define TANBENCH_MEASURE_CELL_RUN_H

#include "bench/plan/plan.h"
#include "bench/sampling/sampling.h"
#include "bench/sampling/timer.h"
#include "tanbench/host/core_probe.h"
#include "tanbench/measure/mpi_reference.h"
#include "tanbench/measure/rank_report.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/overlay/stream.h"

/* `overlay` or `reference` is set, neither on a rank that has no part in the cell. */
struct cell_run {
    const struct world *world;
    const struct settings *settings;
    const struct cell *cell;
    const struct tan_tree *tree;
    struct waiter *waves, *pushed, *side; /* of their channels */
    int partner;                          /* of rank 0 in a ping-pong */
    struct emulated_link *link;           /* of the overlay; NULL: a real one */
    struct overlay *overlay;
    struct stream *stream; /* NULL: packets go up as answers of the overlay */
    struct mpi_reference *reference;
    struct rank_clock clock;            /* this rank's */
    struct clocks *clocks;              /* rank 0: all; borrowed */
    const struct timer *timer;          /* rank 0's; borrowed */
    const struct sampling_watch *watch; /* rank 0; borrowed, NULL: none */
    int cores;                          /* cores of the cell's ranks on rank 0's host */
    struct core_probe *core_probe;      /* rank 0; borrowed, NULL: interference is not detected */
    double start;                 /* of the pushing, on the root's clock, from the last request */
    uint64_t rounds;              /* waves with requests so far */
    double heard_last, sent_last; /* root: of the packets of the wave in progress */
    uint64_t whole;               /* root: results of all leaves */
    struct perf counters;
    struct perf *perf; /* these, or NULL: nothing is counted */
    struct rank_report report;
    struct timing *timing; /* root: of the pushing */
};

#endif
