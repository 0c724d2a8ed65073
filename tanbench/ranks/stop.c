/* stop.c - requests to stop: signals, and ranks that have died
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/stop.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/clock.h"
#include "tanbench/ranks/world.h"

/* Signal handlers take no argument, so this file is the one with state of the whole process. */
static struct {
    volatile sig_atomic_t signum; /* 0: none came */
    double since;                 /* when stop_check saw that; 0: not yet */
    struct rank_slot *slot;       /* of this rank */
} stop;

static void remember(int signum)
{
    stop.signum = signum;
}

static void leave(int signum)
{
    atomic_store(&stop.slot->left, signum);
    _exit(1);
}

_Noreturn void stop_leave(void)
{
    if (stop.slot) {
        atomic_store(&stop.slot->left, LEFT_DONE);
    }
    _exit(TAN_FAILED);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

void stop_install(const struct world *world)
{
    struct sigaction action = {.sa_handler = world->rank == 0 ? remember : leave};

    stop.slot = &world->slots[world->peers[world->rank].local];
    sigemptyset(&action.sa_mask);
    /* Hydra sends it to all ranks when one dies; the others live on to report that. */
    signal(SIGUSR1, SIG_IGN);
    /* A file that has reached its limit is an error like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    /* So is a reader that has gone. */
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], &action, NULL);
    }
}

void stop_uninstall(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
    }
}

bool stop_requested(void)
{
    return stop.signum != 0;
}

/* Time for an orderly end after a signal: all ranks are still there when only rank 0 was told. */
#define GRACE_SECONDS 2.0

static bool somebody_was_told(const struct world *world)
{
    for (int i = 0; i < world->local_size; i++) {
        if (atomic_load(&world->slots[i].left) > 0) {
            return true;
        }
    }
    return false;
}

int stop_check(const struct world *world, struct tan_error *e)
{
    if (world->rank != 0) {
        return 0;
    }
    int dead = atomic_load(&stop.slot->dead) - 1;
    if (dead >= 0) {
        return tan_fail(e, "rank %d on %s died", dead, world->peers[dead].host);
    }
    if (!stop.signum) {
        return 0;
    }
    double now = clock_seconds();
    stop.since = stop.since > 0 ? stop.since : now;
    if (somebody_was_told(world) || now > stop.since + GRACE_SECONDS) {
        return tan_fail(e, "interrupted");
    }
    return 0;
}
