/* timer.h - cost of reading the clock, and number of waves per reading
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_SAMPLING_TIMER_H
#define TAN_TANBENCH_SAMPLING_TIMER_H

#include <stdint.h>

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

#endif
