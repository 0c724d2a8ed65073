/* doorbell.h - doorbells: waiting for messages of the same host without polling
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_DOORBELL_H
#define TAN_TANBENCH_RANKS_DOORBELL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A doorbell in memory shared by the ranks of a host, one per rank and channel. A sender posts its
 * MPI message and then rings the receiver's bell. The bell counts messages from the beginning, so
 * its owner need not call MPI before the messages it waits for are available, and a sender need not
 * wake it before the last of them. Both matter when ranks outnumber cores: polling takes the core
 * from ranks with work to do, and a wake-up costs more than a message. */
struct doorbell {
    _Alignas(128) _Atomic uint32_t rung; /* messages posted, modulo 2^32 */
    _Atomic uint32_t target;             /* value of `rung` at which the sleeper is woken */
    _Atomic uint32_t asleep;             /* futex word: how the owner sleeps, or is about to */
    _Atomic uint32_t called;             /* 1: another rank needs the owner to make progress */
    _Atomic int32_t thread;              /* the owner's main thread, for DOORBELL_SIGNAL */
};

/* Wakes an owner that does not sleep on the bell alone. */
#define DOORBELL_SIGNAL (SIGRTMIN + 3)
/* By the owner, once per process: block the signal, so that it interrupts only sleeps with a mask
 * that allows it, such as *during. */
void doorbell_prepare(sigset_t *during);
/* By the owner, once per bell, before doorbell_announce. */
void doorbell_own(struct doorbell *bell);

/* Count `messages` posted messages, and wake the owner if it sleeps and these include the last one
 * it waits for. */
void doorbell_ring(struct doorbell *bell, uint32_t messages);

/* Ask the owner to make progress: wake it if it sleeps, regardless of what it waits for. */
void doorbell_call(struct doorbell *bell);
/* Owner: whether it was called since the last query. */
bool doorbell_was_called(struct doorbell *bell);

/* Whether `rung` has reached `target`. */
static inline bool doorbell_reached(const struct doorbell *bell, uint32_t target)
{
    return (int32_t)(atomic_load_explicit(&bell->rung, memory_order_acquire) - target) >= 0;
}

/* Sleep until `rung` reaches `target`, another rank calls, a signal arrives or `seconds` have
 * passed. Returns doorbell_reached. */
bool doorbell_sleep(struct doorbell *bell, uint32_t target, double seconds);

/* The same for an owner that also sleeps on something else: announce the sleep, sleep with a mask
 * that allows DOORBELL_SIGNAL, which a ringer then sends, and end it. doorbell_announce returns
 * whether the owner may sleep; doorbell_awake, to be called in any case, doorbell_reached. */
bool doorbell_announce(struct doorbell *bell, uint32_t target);
bool doorbell_awake(struct doorbell *bell, uint32_t target);

#endif
