/* doorbell.c - doorbells: waiting without polling for messages of the same host
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/doorbell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* No FUTEX_PRIVATE_FLAG: waiter and waker are different processes. */
static void futex_wait(_Atomic uint32_t *word, uint32_t value, double seconds)
{
    struct timespec timeout = {.tv_sec = (time_t)seconds};

    timeout.tv_nsec = (long)((seconds - (double)timeout.tv_sec) * 1e9);
    syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Why no wake-up is lost: the sleeper stores target and asleep and reads rung again before it
 * sleeps, the ringer adds to rung and reads asleep afterwards, all sequentially consistent. So
 * either the sleeper sees the new count or the ringer sees the sleeper. */
void doorbell_ring(struct doorbell *bell, uint32_t messages)
{
    uint32_t rung = atomic_fetch_add(&bell->rung, messages) + messages;

    if (atomic_load(&bell->asleep) && (int32_t)(rung - atomic_load(&bell->target)) >= 0 &&
        atomic_exchange(&bell->asleep, 0)) {
        futex_wake(&bell->asleep);
    }
}

/* No call is lost for the same reason. */
void doorbell_call(struct doorbell *bell)
{
    atomic_store(&bell->called, 1);
    if (atomic_load(&bell->asleep) && atomic_exchange(&bell->asleep, 0)) {
        futex_wake(&bell->asleep);
    }
}

bool doorbell_was_called(struct doorbell *bell)
{
    return atomic_load_explicit(&bell->called, memory_order_relaxed) &&
           atomic_exchange(&bell->called, 0);
}

bool doorbell_sleep(struct doorbell *bell, uint32_t target, double seconds)
{
    atomic_store(&bell->target, target);
    atomic_store(&bell->asleep, 1);
    if ((int32_t)(atomic_load(&bell->rung) - target) < 0 && !atomic_load(&bell->called)) {
        futex_wait(&bell->asleep, 1, seconds);
    }
    atomic_store(&bell->asleep, 0);
    return doorbell_reached(bell, target);
}
