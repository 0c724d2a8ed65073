/* stop.c - being told to stop: signals, and ranks that died
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/stop.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/clock.h"
#include "tanbench/ranks/world.h"

/* Signal handlers take no argument, so this file is the one with state of the whole process. */
static volatile sig_atomic_t stop_signal;
static struct rank_slot *my_slot;

static void remember(int signal)
{
    stop_signal = signal;
}

static void leave(int signal)
{
    atomic_store(&my_slot->left, signal);
    _exit(1);
}

_Noreturn void stop_leave(void)
{
    if (my_slot) {
        atomic_store(&my_slot->left, LEFT_DONE);
    }
    _exit(TAN_FAILED);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

void stop_install(const struct world *world)
{
    struct sigaction action = {.sa_handler = world->rank == 0 ? remember : leave};

    my_slot = &world->slots[world->peers[world->rank].local];
    sigemptyset(&action.sa_mask);
    /* Hydra tells of a dead rank so, which would end those that are to say which one it was. */
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
    return stop_signal != 0;
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
    static double stop_time;

    if (world->rank != 0) {
        return 0;
    }
    int dead = atomic_load(&my_slot->dead) - 1;
    if (dead >= 0) {
        return tan_fail(e, "rank %d on %s died", dead, world->peers[dead].host);
    }
    if (!stop_signal) {
        return 0;
    }
    double now = clock_seconds();
    stop_time = stop_time > 0 ? stop_time : now;
    if (somebody_was_told(world) || now > stop_time + GRACE_SECONDS) {
        return tan_fail(e, "interrupted");
    }
    return 0;
}
