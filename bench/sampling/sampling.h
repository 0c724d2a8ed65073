/* sampling.h - number of waves that a cell needs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_SAMPLING_SAMPLING_H
#define BENCH_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bench/plan/plan.h"
#include "bench/sampling/measurement.h"
#include "bench/sampling/timer.h"

/* Times `waves` consecutive waves: *seconds from the start of the first to the end of the last. */
typedef int sample_fn(void *context, int64_t waves, double *seconds, struct tan_error *e);

/* Somebody who watches samples while they are taken. What showing them takes is no part of any
 * sample nor of the time that sampling is allowed, and the wave after it, which finds other data in
 * the caches, is discarded. */
struct sampling_watch {
    /* The samples so far, seconds of a round trip each, in their order. */
    void (*show)(void *context, const double *sample, size_t n);
    void *context;
    double interval; /* seconds between two calls, and before the first */
};

/* Callbacks of sampling. */
struct sampling_ops {
    sample_fn *sample;
    /* Whether other programs use the cores now; NULL: not known. */
    bool (*disturbed)(void *context);
    bool (*stopped)(void); /* the user wants it to end */
    double (*now)(void);   /* seconds since some fixed moment; NULL: tan_clock_seconds */
    void *context;         /* of `sample` and `disturbed` */
    const struct sampling_watch *watch; /* NULL: nobody watches */
};

/* Discard the warm-up, which determines how many waves are timed together by `timer` (NULL: one),
 * then keep samples until `settings` (or cell->waves) are satisfied. With `disturbed` these are
 * quiet waves, without interference; when these take twice as long as any waves would have, or
 * longer than settings allow, they are any. On an error those so far stay in `m`, with
 * STOP_INTERRUPTED. Meanwhile m->n is the number of samples taken after the warm-up. */
int tan_sampling_run(const struct settings *settings, const struct cell *cell,
                     const struct timer *timer, const struct sampling_ops *ops,
                     struct measurement *m, struct tan_error *e);

#endif
