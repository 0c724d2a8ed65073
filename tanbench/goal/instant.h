/* instant.h - a common starting time for all ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_GOAL_INSTANT_H
#define TAN_TANBENCH_GOAL_INSTANT_H

#include "base/error.h"
#include "bench/sampling/clock_model.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/ranks/world.h"

struct instant {
    const struct world *world;
    struct waiter side;
    struct clocks *clocks; /* rank 0; owned */
    struct rank_clock clock;
    struct clock_quality quality; /* rank 0 */
    double lead;                  /* rank 0: seconds for announcing an instant to all ranks */
    double reading;               /* seconds that a rank measures for doing nothing */
};

/* Collective, like the next two. Compares clocks if there are several hosts. After a failure other
 * ranks may wait for this one forever. */
int instant_open(struct instant *i, const struct world *world, struct tan_error *e);
/* Measure how far clocks have drifted since; completes the quality. */
int instant_check(struct instant *i, struct tan_error *e);
/* Wait for an instant, inside the library until shortly before, like a program about to
 * communicate. Returns it by rank 0's clock; *late: it had passed before this rank learned of
 * it. */
double instant_await(struct instant *i, bool *late);
/* Not collective: seconds since then, without the time for reading the clock. */
double instant_since(const struct instant *i, double at);
void instant_close(struct instant *i);

#endif
