/* sampling.h - how many waves a cell needs
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

/* Times so many waves in a row: *seconds from the start of the first to the end of the last. */
typedef int sample_fn(void *context, int64_t waves, double *seconds, struct tan_error *e);

/* What sampling asks of its caller. */
struct sampling_ops {
    sample_fn *sample;
    /* Whether somebody else uses the cores just now; NULL: not known. */
    bool (*disturbed)(void *context);
    bool (*stopped)(void); /* the user wants it to end */
    double (*now)(void);   /* seconds since some fixed moment; NULL: clock_seconds */
    void *context;         /* of `sample` and `disturbed` */
};

/* Discard the warm-up, which tells how many waves `timer` must take together (NULL: each by
 * itself), then keep samples until `settings` (or cell->waves) are satisfied. With
 * `disturbed` these are quiet waves, during which nobody else used the cores; when these take twice
 * as long as any waves would have, or longer than settings allow, they are any. On an error those
 * so far stay in `m`, which says STOP_INTERRUPTED. Meanwhile m->n is the number of samples taken
 * after the warm-up. */
int tan_sampling_run(const struct settings *settings, const struct cell *cell,
                     const struct timer *timer, const struct sampling_ops *ops,
                     struct measurement *m, struct tan_error *e);

#endif
