/* instant.h - one instant at which all ranks begin
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_GOAL_INSTANT_H
#define TANBENCH_GOAL_INSTANT_H

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
    double lead;                  /* rank 0: seconds in which an instant reaches everybody */
    double reading;               /* seconds that a rank takes for nothing */
};

/* Collective, as are the next two: compare the clocks where there are several hosts. After a
 * failure other ranks may wait for this one for ever. */
int instant_open(struct instant *i, const struct world *world, struct tan_error *e);
/* How far clocks have gone apart since; completes the quality. */
int instant_check(struct instant *i, struct tan_error *e);
/* Wait for an instant, in the library until shortly before it, as a program that is about to
 * communicate. By rank 0's clock; *late: it was over when this rank got to know it. */
double instant_await(struct instant *i, bool *late);
/* Not collective: seconds since then, less what reading the clock takes. */
double instant_since(const struct instant *i, double at);
void instant_close(struct instant *i);

#endif
