/* sleep.c - interruptible sleep until an instant
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/sleep.h"

#include <math.h>

#include "base/clock.h"
#include "tanbench/ranks/stop.h"

/* Longest sleep between checks for a request to stop (seconds). */
#define MAX_SLEEP 0.1
/* Usual upper bound of the lateness of a sleep's end (seconds). */
#define MAX_LATENESS 100e-6

int sleep_until(const struct world *world, double instant, bool punctual, struct tan_error *e)
{
    double wake = instant - (punctual ? MAX_LATENESS : 0);

    for (double now = clock_seconds(); now < wake; now = clock_seconds()) {
        double until = fmin(wake, now + MAX_SLEEP);
        clock_sleep_until(until);
        if (until < wake && stop_check(world, e)) {
            return -1;
        }
    }
    clock_compute_until(instant);
    return 0;
}
