/* cell_run.h - a rank's state for the current cell
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_CELL_RUN_H
#define TAN_TANBENCH_MEASURE_CELL_RUN_H

#include "tanbench/heal/heal.h"
#include "tanbench/host/core_probe.h"
#include "tanbench/measure/mpi_reference.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/overlay/stream.h"
#include "tanbench/plan/plan.h"
#include "tanbench/sampling/sampling.h"
#include "tanbench/sampling/timer.h"

/* Sent to the root after the last wave. Plain data. */
struct rank_report {
    struct stream_counts counts;
    uint32_t leaf, is_leaf; /* number of this leaf; 1 for leaves */
    /* mode stream: */
    uint32_t closed_waves; /* number of waves in the closed loop, without the warm-up */
    double closed_cpu;     /* CPU seconds during these */
    double cpu;            /* CPU seconds while leaves push */
    double behind;         /* leaf: largest delay behind its schedule */
    int64_t growth;        /* bytes by which memory grew while pushing */
};

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
    struct stream *stream; /* NULL: packets go up as answers of the overlay */
    struct heal *heal;     /* mode failures: in place of the overlay */
    struct mpi_reference *reference;
    struct rank_clock clock;       /* of this rank, compared with rank 0's */
    struct clocks *clocks;         /* rank 0: clocks of all ranks; borrowed */
    const struct timer *timer;     /* rank 0's; borrowed */
    int cores;                     /* cores of the cell's ranks on rank 0's host */
    struct core_probe *core_probe; /* rank 0; borrowed, NULL: interference is not detected */
    double start;                  /* when leaves start to push, on the root's clock */
    uint64_t rounds;               /* number of waves with requests so far */
    /* Root: what has come out of the stream. */
    struct {
        double heard_last, sent_last; /* of the packets of the current wave */
        uint64_t whole;               /* number of results that include all leaves */
        struct timing *timing;        /* of the pushing */
    } results;
    struct rank_report report;
};

#endif
