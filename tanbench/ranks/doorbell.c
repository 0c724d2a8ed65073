/* doorbell.c - doorbells: waiting for messages of the same host without polling
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/doorbell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How the owner sleeps. */
enum { AWAKE, ON_FUTEX, UNTIL_SIGNAL };

/* No FUTEX_PRIVATE_FLAG: waiter and waker are different processes. */
static void futex_wait(_Atomic uint32_t *word, uint32_t value, double seconds)
{
    struct timespec timeout = {.tv_sec = (time_t)seconds};
    timeout.tv_nsec = (long)((seconds - (double)timeout.tv_sec) * 1e9);
    syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

/* Wake an owner that was asleep in the way given by `asleep`; bell->asleep is AWAKE by now. */
static void wake_sleeper(struct doorbell *bell, uint32_t asleep)
{
    if (asleep == ON_FUTEX) {
        syscall(SYS_futex, &bell->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
    } else if (asleep == UNTIL_SIGNAL) {
        const int thread = atomic_load(&bell->thread);
        syscall(SYS_tgkill, thread, thread, DOORBELL_SIGNAL);
    }
}

/* No wake-up is lost: the sleeper stores target and asleep and rereads rung before it sleeps, the
 * ringer adds to rung and then reads asleep, all sequentially consistent. So either the sleeper
 * sees the new count or the ringer sees the sleeper. */
void doorbell_ring(struct doorbell *bell, uint32_t messages)
{
    uint32_t rung = atomic_fetch_add(&bell->rung, messages) + messages;
    if (atomic_load(&bell->asleep) && (int32_t)(rung - atomic_load(&bell->target)) >= 0) {
        wake_sleeper(bell, atomic_exchange(&bell->asleep, AWAKE));
    }
}

/* No call is lost, for the same reason. */
void doorbell_call(struct doorbell *bell)
{
    atomic_store(&bell->called, 1);
    if (atomic_load(&bell->asleep)) {
        wake_sleeper(bell, atomic_exchange(&bell->asleep, AWAKE));
    }
}

bool doorbell_was_called(struct doorbell *bell)
{
    return atomic_load_explicit(&bell->called, memory_order_relaxed) &&
           atomic_exchange(&bell->called, 0);
}

static bool announce_sleep(struct doorbell *bell, uint32_t target, uint32_t asleep)
{
    atomic_store(&bell->target, target);
    atomic_store(&bell->asleep, asleep);
    return (int32_t)(atomic_load(&bell->rung) - target) < 0 && !atomic_load(&bell->called);
}

bool doorbell_sleep(struct doorbell *bell, uint32_t target, double seconds)
{
    if (announce_sleep(bell, target, ON_FUTEX)) {
        futex_wait(&bell->asleep, ON_FUTEX, seconds);
    }
    return doorbell_awake(bell, target);
}

static void ignore_signal(int signum)
{
    (void)signum;
}

void doorbell_prepare(sigset_t *during)
{
    struct sigaction action = {.sa_handler = ignore_signal};
    sigset_t blocked;
    sigemptyset(&action.sa_mask);
    sigaction(DOORBELL_SIGNAL, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, DOORBELL_SIGNAL);
    pthread_sigmask(SIG_BLOCK, &blocked, during);
    sigdelset(during, DOORBELL_SIGNAL);
}

void doorbell_own(struct doorbell *bell)
{
    atomic_store(&bell->thread, (int32_t)getpid());
}

bool doorbell_announce(struct doorbell *bell, uint32_t target)
{
    return announce_sleep(bell, target, UNTIL_SIGNAL);
}

bool doorbell_awake(struct doorbell *bell, uint32_t target)
{
    atomic_store(&bell->asleep, AWAKE);
    return doorbell_reached(bell, target);
}
