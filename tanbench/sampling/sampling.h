/* sampling.h - number of waves needed for a cell, and clocks to time them with
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_SAMPLING_SAMPLING_H
#define TAN_TANBENCH_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/plan/plan.h"
#include "tanbench/sampling/measurement.h"
#include "tanbench/sampling/sampling.h"

/* Both in seconds. */
struct timer {
    double cost;       /* of one reading */
    double resolution; /* smallest difference between two distinct readings */
};

/* Measure the clock's cost and resolution by ten thousand readings, in less than a millisecond. */
struct timer tan_timer_calibrate(void);

/* Number of waves to time together so that reading the clock costs at most 5 % and they last at
 * least ten ticks of the clock (Hoefler and Belli, SC'15): 1 unless a wave of `seconds` is very
 * short. */
int64_t tan_timer_batch(const struct timer *timer, double seconds);

/* Time `waves` consecutive waves: *seconds from the start of the first to the end of the last. */
typedef int sample_fn(void *context, int64_t waves, double *seconds, struct tan_error *e);

/* Callbacks of sampling. */
struct sampling_ops {
    sample_fn *sample;
    /* Whether other programs are using the cores; NULL: unknown. */
    bool (*disturbed)(void *context);
    bool (*stopped)(void); /* whether the user wants it to end */
    double (*now)(void);   /* seconds since a fixed moment; NULL: tan_clock_seconds */
    void *context;         /* for `sample` and `disturbed` */
};

/* Discard the warm-up, which determines how many waves are timed together (tan_timer_batch; 1 if
 * `timer` is NULL). Then keep samples until `settings` (or cell->waves) are satisfied. With
 * ops->disturbed, only waves without interference are kept, unless collecting them takes twice as
 * long as collecting any waves, or longer than the settings allow. On an error `m` keeps the
 * samples so far, with STOP_INTERRUPTED. During sampling m->n is the number of samples since the
 * warm-up. The caller clears `m` in any case. */
int tan_sampling_run(const struct settings *settings, const struct cell *cell,
                     const struct timer *timer, const struct sampling_ops *ops,
                     struct measurement *m, struct tan_error *e);

#endif
