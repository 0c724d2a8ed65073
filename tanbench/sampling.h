/* sampling.h - how many waves a cell needs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_SAMPLING_H
#define TANBENCH_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stats.h"
#include "tanbench/emulation.h"
#include "tanbench/mode_results.h"
#include "tanbench/plan.h"
#include "tanbench/timer.h"

/* Why a cell has no more waves. */
enum stop_reason {
    STOP_PRECISE,     /* the median's interval is narrow enough */
    STOP_FIXED,       /* the number of waves was given */
    STOP_WAVES,       /* --max-waves */
    STOP_TIME,        /* --max-time */
    STOP_DISTURBED,   /* others used the cores for too long to wait for more undisturbed waves */
    STOP_INTERRUPTED, /* a signal, a dead rank or an error: fewer waves than asked for */
    STOP_REASONS
};
extern const char *const stop_reason_names[STOP_REASONS]; /* "precise", ... */

/* The kept waves of one cell. */
struct measurement {
    double *round_trips; /* seconds, in the order of measurement; `n` entries; owned */
    size_t n, capacity;
    int64_t batch; /* waves behind each entry, which is their mean; 1 unless waves are very short */
    int64_t warmup; /* waves discarded before them */
    int64_t aside;  /* waves left out because others used the cores at the time */
    bool disturbed; /* others did, and these are not left out, for want of enough better ones */
    enum stop_reason stopped;
    double *up, *down, *late;  /* --mode sync, or NULL: of each round trip the ways up and down, and
                                  how long after the agreed instant the last leaf sent; owned */
    struct flow_result flow;   /* where packets went up as a stream */
    struct timed_result timed; /* --mode timed: round_trips are then latencies of results */
    struct clock_quality clocks; /* where clocks were compared */
    struct lateness lateness;    /* of emulated time */
    double period; /* seconds from the first wave's start to the last one's end, over all of them */
};

/* Times so many waves in a row: *seconds from the start of the first to the end of the last. */
typedef int sample_fn(void *context, int64_t waves, double *seconds, struct tan_error *e);

/* Whether somebody else uses the cores just now. */
typedef bool look_fn(void *context);

/* Discard the warm-up, which tells how many waves `timer` must take together (NULL: each by
 * itself), then keep samples until `settings` (or cell->waves) are satisfied. With `look` (NULL:
 * nobody does) these are waves during which nobody else used the cores; when that takes twice as
 * long as any waves would have, or longer than settings allow, they are any. On an error those so
 * far stay in `m`, which says STOP_INTERRUPTED. Meanwhile m->n is the number of samples taken after
 * the warm-up. */
int sampling_run(const struct settings *settings, const struct cell *cell,
                 const struct timer *timer, sample_fn *sample, look_fn *look, void *context,
                 struct measurement *m, struct tan_error *e);
void measurement_clear(struct measurement *m);

#endif
