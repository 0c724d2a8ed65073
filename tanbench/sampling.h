/* sampling.h - how many waves a cell needs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_SAMPLING_H
#define TANBENCH_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stats.h"
#include "tanbench/mode_results.h"
#include "tanbench/plan.h"

/* Why a cell has no more waves. */
enum stop_reason {
    STOP_PRECISE,     /* the median's interval is narrow enough */
    STOP_FIXED,       /* the number of waves was given */
    STOP_WAVES,       /* --max-waves */
    STOP_TIME,        /* --max-time */
    STOP_INTERRUPTED, /* a signal, a dead rank or an error: fewer waves than asked for */
    STOP_REASONS
};
extern const char *const stop_reason_names[STOP_REASONS]; /* "precise", ... */

/* The kept waves of one cell. */
struct measurement {
    double *round_trips; /* seconds, in the order of measurement; `n` entries; owned */
    size_t n, capacity;
    int64_t warmup; /* waves discarded before them */
    enum stop_reason stopped;
    double *up, *down, *late;  /* --mode sync, or NULL: of each round trip the ways up and down, and
                                  how long after the agreed instant the last leaf sent; owned */
    struct flow_result flow;   /* where packets went up as a stream */
    struct timed_result timed; /* --mode timed: round_trips are then latencies of results */
    struct clock_quality clocks; /* where clocks were compared */
    char doubt[200];             /* why not to trust it; "" */
    double period; /* seconds from the first kept wave's start to the last one's end, over n */
};

/* Times one wave: *seconds from its start to its end. */
typedef int sample_fn(void *context, double *seconds, struct tan_error *e);

/* Discard the warm-up, then keep waves until `settings` (or cell->waves) are satisfied. On an error
 * the waves so far stay in `m`, which says STOP_INTERRUPTED. */
int sampling_run(const struct settings *settings, const struct cell *cell, sample_fn *sample,
                 void *context, struct measurement *m, struct tan_error *e);
void measurement_clear(struct measurement *m);

#endif
