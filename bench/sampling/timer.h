/* timer.h - cost of reading the clock, and waves that one reading must span
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_SAMPLING_TIMER_H
#define BENCH_SAMPLING_TIMER_H

#include <stdint.h>

/* Both in seconds. */
struct timer {
    double cost;       /* of one reading */
    double resolution; /* the least difference between two different readings */
};

/* Some ten thousand readings: about a millisecond. */
struct timer tan_timer_calibrate(void);

/* Number of waves timed together so that the reading costs at most 5 % of them and they last at
 * least ten ticks of the clock (Hoefler and Belli, SC'15): 1 unless a wave of `seconds` is very
 * short. */
int64_t tan_timer_batch(const struct timer *timer, double seconds);

#endif
