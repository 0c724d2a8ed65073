/* timer.c - cost of reading the clock, and number of waves per reading
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/timer.h"

#include <math.h>

#include "base/clock.h"

enum { ROUNDS = 20, READINGS = 500, MAX_BATCH = 1000 };

#define MAX_COST_SHARE 0.05 /* of the timed duration */
#define MIN_TICKS      10

/* The minimum over several rounds, to exclude interrupts. */
struct timer tan_timer_calibrate(void)
{
    struct timer timer = {.cost = INFINITY, .resolution = INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = tan_clock_seconds();
        double before = begin;
        for (int i = 0; i < READINGS; i++) {
            double now = tan_clock_seconds();
            timer.resolution =
                now > before ? fmin(timer.resolution, now - before) : timer.resolution;
            before = now;
        }
        timer.cost = fmin(timer.cost, (before - begin) / READINGS);
    }
    /* if the clock never advanced, its tick is longer than the whole loop */
    if (!isfinite(timer.resolution)) {
        timer.resolution = 1e-3;
    }
    return timer;
}

int64_t tan_timer_batch(const struct timer *timer, double seconds)
{
    double needed = fmax(timer->cost / MAX_COST_SHARE, timer->resolution * MIN_TICKS);
    double waves = ceil(needed / fmax(seconds, 1e-9));
    return waves < 1 ? 1 : waves > MAX_BATCH ? MAX_BATCH : (int64_t)waves;
}
