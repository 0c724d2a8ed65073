/* instant.c - a common starting time for all ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/goal/instant.h"

#include <math.h>

#include "base/clock.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"

enum { READINGS = 31 };
enum { TAG_NEVER = 1 }; /* no message has this tag */

/* The least that instant_since measures right after an instant, since ranks that share a core may
 * find most instants passed by milliseconds; 0 where that holds for all. i->reading is still 0. */
static double reading_time(struct instant *i)
{
    double least = INFINITY;
    for (int k = 0; k < READINGS; k++) {
        bool late;
        const double at = instant_await(i, &late);
        const double took = instant_since(i, at);
        least = late ? least : fmin(least, took);
    }
    return isfinite(least) ? least : 0.0;
}

static int compare_clocks(struct instant *i, struct tan_error *e)
{
    const struct world *world = i->world;
    const struct wait_policy *policy = wait_policy_find("auto", world, e);
    if (policy == NULL) {
        return -1;
    }
    waiter_init(&i->side, policy, world, CHANNEL_SIDE);
    if (world->rank != 0) {
        return clocks_follow(&i->side, &i->clock, e);
    }
    i->clocks = clocks_create(world, e);
    return i->clocks == NULL ? -1 : clocks_lead(i->clocks, &i->side, world->size, &i->quality, e);
}

int instant_open(struct instant *i, const struct world *world, struct tan_error *e)
{
    const double least_lead = 200e-6;
    const double steps = 1.0 + ceil(log2((double)world->size)); /* of a broadcast */
    *i = (struct instant){.world = world, .clock = {.local = tan_local_clock_of(0)}};
    if (!world->one_clock && compare_clocks(i, e) < 0) {
        return -1;
    }
    i->lead = fmax(least_lead, 2.0 * steps * i->quality.round_trip);
    i->reading = reading_time(i);
    return 0;
}

int instant_check(struct instant *i, struct tan_error *e)
{
    struct rank_clock unused; /* the check leaves i->clock as it is */
    return i->world->one_clock   ? 0
           : i->world->rank == 0 ? clocks_check(i->clocks, &i->side, i->world->size, &i->quality, e)
                                 : clocks_follow(&i->side, &unused, e);
}

void instant_close(struct instant *i)
{
    clocks_destroy(i->clocks);
}

double instant_await(struct instant *i, bool *late)
{
    const double near = 2e-6;
    double at = 0.0;
    double left;
    int there;
    MPI_TRY(MPI_Barrier(i->world->comm));
    at = tan_rank_clock_now(&i->clock) + i->lead;
    MPI_TRY(MPI_Bcast(&at, 1, MPI_DOUBLE, 0, i->world->comm));
    *late = tan_rank_clock_now(&i->clock) >= at;
    if (machine_simulated) {
        tan_clock_sleep_until(at);
    }
    while ((left = at - tan_rank_clock_now(&i->clock)) > 0.0) {
        if (left > near) {
            MPI_TRY(
                MPI_Iprobe(i->world->rank, TAG_NEVER, i->world->comm, &there, MPI_STATUS_IGNORE));
        }
    }
    return at;
}

double instant_since(const struct instant *i, double at)
{
    return fmax(0.0, tan_rank_clock_now(&i->clock) - at - i->reading);
}
