/* wait.c - policies of waiting for messages, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/wait.h"

#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

/* How often a parking rank yields its core before it sleeps in a brief wait: with more ranks than
 * cores the message has often arrived when the rank runs again, which saves both sides a sleep and
 * a wake-up. In a long wait yielding would cost more. */
enum { YIELDS_BEFORE_SLEEP = 3 };
/* Longest sleep without a progress call (seconds): MPI may have work that rings no bell. */
#define MAX_SLEEP 0.02
/* Pause between two polls if no message would end a longer sleep (seconds). */
#define PAUSE 50e-6
/* If waits for other hosts usually take less than this (seconds), sleeping is not worthwhile, since
 * waking up takes as long: the rank yields its core for up to twice that time before it sleeps. */
#define SHORT_WAIT 40e-6
/* Weight of a new wait in the running average, and its upper limit (seconds). */
#define LEARNT    0.25
#define LONG_WAIT 1e-3
/* Unsuccessful progress calls before the core is yielded, and before the rank sleeps. */
enum { TRIES_BEFORE_YIELD = 64, TRIES_BEFORE_SLEEP = 16 * TRIES_BEFORE_YIELD };
/* Consecutive groups of sends that are not deferred after a call for help: initially, factor per
 * further call, and maximum. Trying costs little even if all ranks need help often. */
enum { MIN_UNDEFERRED = 16, UNDEFERRED_GROWTH = 4, MAX_UNDEFERRED = 1024 };
/* Unsuccessful progress calls between two checks for a request to stop. */
enum { TRIES_BEFORE_CHECK = 256 };

static void pause_spin(unsigned tries)
{
    (void)tries;
}

static void pause_yield(unsigned tries)
{
    (void)tries;
    sched_yield();
}

/* A message whose bell has rung has arrived or will very soon; if it is late, its sender needs to
 * run. */
static void pause_park(unsigned tries)
{
    if (tries >= TRIES_BEFORE_SLEEP) {
        tan_clock_sleep(PAUSE);
    } else if (tries >= TRIES_BEFORE_YIELD) {
        sched_yield();
    }
}

/* Complete requests one after the other: all are needed, so this takes the fewest calls. `senders`:
 * bells of ranks that may have to help, or NULL. */
static int complete_polling(const struct waiter *w, MPI_Request *requests,
                            struct doorbell *const *senders, int n, struct tan_error *e)
{
    unsigned tries = 0;
    for (int i = 0; i < n; i++) {
        for (;;) {
            int done;
            MPI_TRY(MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE));
            if (done) {
                break;
            }
            w->policy->pause(tries);
            if (++tries % TRIES_BEFORE_YIELD == 0 && senders != NULL && senders[i] != NULL &&
                w->policy->rings) {
                doorbell_call(senders[i]);
            }
            bool look = tries % TRIES_BEFORE_CHECK == 0 || stop_requested();
            if (look && stop_check(w->world, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* The library chooses how to wait, and a request to stop is only noticed in between. */
static int complete_blocking(const struct waiter *w, MPI_Request *requests,
                             struct doorbell *const *senders, int n, struct tan_error *e)
{
    (void)senders;
    MPI_TRY(MPI_Waitall(n, requests, mpi_ignored_statuses));
    return stop_requested() ? stop_check(w->world, e) : 0;
}

static int receive_all(struct waiter *w, struct receives *r, struct tan_error *e)
{
    return w->policy->complete(w, r->requests, r->senders, r->n, e);
}

static bool all_sent(MPI_Request *requests, int n)
{
    int done = 1;
    for (int i = 0; i < n && done; i++) {
        MPI_TRY(MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE));
    }
    return done;
}

/* A receiver waits for a deferred message: make progress for as long as it may take to send it to a
 * receiver that is awake. */
static void progress_deferred(struct waiter *w)
{
    bool done = false;
    w->helped = true;
    for (unsigned tries = 0; !done && tries < TRIES_BEFORE_SLEEP; tries++) {
        done = all_sent(w->deferred, w->n_deferred);
        if (!done) {
            w->policy->pause(tries);
        }
    }
}

/* Sleep until the messages from this host are posted, and let MPI progress meanwhile. */
static int await_bell(struct waiter *w, uint32_t target, struct tan_error *e)
{
    while (!doorbell_reached(w->bell, target) && !doorbell_sleep(w->bell, target, MAX_SLEEP)) {
        int flag;
        if (stop_check(w->world, e) < 0) {
            return -1;
        }
        /* the caller waits for a message that MPI has accepted but not sent, maybe because it has
         * to connect first, which involves both sides */
        const bool called = doorbell_was_called(w->bell);
        MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->world->comm, &flag, MPI_STATUS_IGNORE));
        if (called && w->n_deferred > 0) {
            progress_deferred(w);
        }
    }
    return 0;
}

bool wait_sleep(struct waiter *w, uint32_t target, double seconds)
{
    const struct world *world = w->world;
    const double longest = sockets_serve(world->sockets) ? MAX_SLEEP : PAUSE;
    if (doorbell_announce(w->bell, target)) {
        sockets_sleep(world->sockets, fmin(seconds, longest), &world->asleep);
    }
    doorbell_was_called(w->bell); /* nothing is deferred here */
    w->slept = true;
    return doorbell_awake(w->bell, target);
}

void wait_learn(struct waiter *w, bool completed)
{
    if (w->slept) {
        sockets_learn(w->world->sockets, completed);
        w->slept = false;
    }
}

void wait_ring(const struct waiter *w, int rank)
{
    struct doorbell *bell = world_doorbell(w->world, rank, w->channel);
    if (bell != NULL && w->policy->rings) {
        doorbell_ring(bell, 1);
    }
}

void wait_pause(struct waiter *w, unsigned tries, double seconds)
{
    const double longest = fmin(seconds, MAX_SLEEP);
    if (!w->policy->rings) {
        w->policy->pause(tries);
    } else if (tries < YIELDS_BEFORE_SLEEP) {
        sched_yield();
    } else if (w->world->hosts > 1) {
        wait_sleep(w, w->consumed + 1, longest);
    } else if (doorbell_sleep(w->bell, w->consumed + 1, longest)) {
        pause_park(tries); /* posted, and not yet there */
    }
}

/* Receive when some messages come from other hosts, which ring no bell. */
static int receive_across(struct waiter *w, struct receives *r, struct tan_error *e)
{
    const uint32_t target = w->consumed + (uint32_t)r->local;
    const double begin = tan_clock_seconds();
    const double patience = r->wait < SHORT_WAIT ? 2 * SHORT_WAIT : 0;
    int i = 0;
    for (unsigned tries = 0; i < r->n;) {
        int done;
        MPI_TRY(MPI_Test(&r->requests[i], &done, MPI_STATUS_IGNORE));
        wait_learn(w, done);
        if (done) {
            i++;
            continue;
        }
        tries++;
        if (patience > 0 && tan_clock_seconds() < begin + patience) {
            sched_yield();
        } else {
            /* The doorbell counts local messages only; once all have arrived it carries no
             * information. */
            const bool rung = doorbell_reached(w->bell, target);
            wait_sleep(w, rung ? target + (UINT32_MAX >> 2) : target, MAX_SLEEP);
        }
        if ((tries % TRIES_BEFORE_YIELD == 0 || w->slept || stop_requested()) &&
            stop_check(w->world, e) < 0) {
            return -1;
        }
    }
    r->wait += LEARNT * (fmin(tan_clock_seconds() - begin, LONG_WAIT) - r->wait);
    return 0;
}

static int receive_parked(struct waiter *w, struct receives *r, struct tan_error *e)
{
    if (r->local == r->n) {
        const uint32_t target = w->consumed + (uint32_t)r->n;
        for (int i = 0; r->brief && i < YIELDS_BEFORE_SLEEP && !doorbell_reached(w->bell, target);
             i++) {
            sched_yield();
        }
        if (await_bell(w, target, e) < 0 ||
            complete_polling(w, r->requests, r->senders, r->n, e) < 0) {
            return -1;
        }
    } else if (receive_across(w, r, e) < 0) {
        return -1;
    }
    w->consumed += (uint32_t)r->local;
    return 0;
}

const struct wait_policy wait_policies[] = {
    {"auto", "poll when every rank has a core, else park; block on a simulated machine", false,
     false, NULL, NULL, NULL},
    {"poll", "poll MPI without pause: fastest when every rank has a core of its own", false, false,
     receive_all, complete_polling, pause_spin},
    {"yield", "poll MPI, yielding the core to other ranks in between", false, false, receive_all,
     complete_polling, pause_yield},
    {"park", "sleep until the last awaited message of this host rings a doorbell", true, false,
     receive_parked, complete_polling, pause_park},
    {"block", "wait inside MPI (MPI_Waitall), as programs do: how is the library's choice", false,
     true, receive_all, complete_blocking, pause_yield},
    {NULL, NULL, false, false, NULL, NULL, NULL},
};

const struct wait_policy *wait_policy_find(const char *name, const struct world *world)
{
    const struct wait_policy *policy = wait_policies;
    if (strcmp(name, policy->name) == 0) {
        name = machine_simulated ? "block" : world->oversubscribed ? "park" : "poll";
    }
    while (strcmp(name, policy->name) != 0) {
        policy++;
    }
    return policy;
}

void waiter_init(struct waiter *w, const struct wait_policy *policy, const struct world *world,
                 enum channel channel)
{
    *w = (struct waiter){
        .policy = policy,
        .world = world,
        .channel = channel,
        .bell = world_doorbell(world, world->rank, channel),
        .consumed = 0, /* instead of bell->rung, since a faster rank may have sent already */
        .next_undeferred = MIN_UNDEFERRED,
    };
    doorbell_own(w->bell);
}

int wait_receive(struct waiter *w, struct receives *r, struct tan_error *e)
{
    return w->policy->receive(w, r, e) != 0 || wait_deferred(w, e) != 0 ? -1 : 0;
}

void side_send(const struct waiter *side, int rank, const void *message, size_t bytes)
{
    const int tag = rank == 0 ? tag_up(CHANNEL_SIDE) : tag_down(CHANNEL_SIDE);
    MPI_TRY(MPI_Send(message, (int)bytes, MPI_BYTE, rank, tag, side->world->comm));
    wait_ring(side, rank);
}

int side_receive(struct waiter *side, int rank, MPI_Request *request, struct tan_error *e)
{
    struct receives r = {.requests = request,
                         .n = 1,
                         .local = world_doorbell(side->world, rank, CHANNEL_SIDE) != NULL};
    return wait_receive(side, &r, e);
}

int wait_send(struct waiter *w, MPI_Request *requests, int n, struct tan_error *e)
{
    return w->policy->complete(w, requests, NULL, n, e);
}

int wait_defer(struct waiter *w, MPI_Request *requests, int n, int local, struct tan_error *e)
{
    if (local < n || !w->policy->rings) {
        return wait_send(w, requests, n, e);
    }
    if (w->undeferred > 0) {
        w->undeferred--;
        return wait_send(w, requests, n, e);
    }
    doorbell_was_called(w->bell); /* calls for earlier sends */
    w->deferred = requests;
    w->n_deferred = n;
    w->helped = false;
    return 0;
}

/* If senders must take part, one group in many is deferred to test whether that is still so. */
static void adapt_undeferred(struct waiter *w)
{
    if (w->helped) {
        w->undeferred = w->next_undeferred;
        w->next_undeferred *= w->next_undeferred < MAX_UNDEFERRED ? UNDEFERRED_GROWTH : 1;
    } else {
        w->next_undeferred /= w->next_undeferred > MIN_UNDEFERRED ? UNDEFERRED_GROWTH : 1;
    }
}

int wait_deferred(struct waiter *w, struct tan_error *e)
{
    const int n = w->n_deferred;
    if (n == 0) {
        return 0;
    }
    adapt_undeferred(w);
    w->n_deferred = 0;
    return wait_send(w, w->deferred, n, e);
}
