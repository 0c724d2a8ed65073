/* wait.h - policies of waiting for messages, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_WAIT_H
#define TAN_TANBENCH_RANKS_WAIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

struct wait_policy;

/* A rank's waiting state on one channel. */
struct waiter {
    const struct wait_policy *policy;
    const struct world *world;
    enum channel channel;
    struct doorbell *bell; /* this rank's */
    uint32_t consumed;     /* messages received so far from ranks of this host */
    bool slept;            /* whether wait_sleep was called since wait_learn */
    MPI_Request *deferred; /* borrowed: sends whose completion is deferred */
    int n_deferred;
    bool helped;              /* a receiver has called for help with them */
    unsigned undeferred;      /* number of following groups that are not deferred */
    unsigned next_undeferred; /* the same after the next call for help */
};

/* Receives that are completed together. */
struct receives {
    MPI_Request *requests;
    struct doorbell *const *senders; /* their senders' bells; NULL: on another host */
    int n;
    int local;   /* how many come from ranks of this host */
    double wait; /* usual duration of waits for other hosts in seconds, a running average */
    bool brief;  /* between several leaves and their parent, which has no other children and is the
                    root or a child of it: while they wait for each other, a yielded core is used
                    by one of them */
};

struct wait_policy {
    const char *name;
    const char *help;
    bool rings;  /* senders must ring the receiver's bell */
    bool blocks; /* waits inside MPI: for a stream, in MPI_Waitsome */
    /* Complete all receives. -1 on a request to stop, here and below. */
    int (*receive)(struct waiter *w, struct receives *r, struct tan_error *e);
    /* Complete all requests. `senders`: bells of ranks that may have to help, or NULL. */
    int (*complete)(const struct waiter *w, MPI_Request *requests, struct doorbell *const *senders,
                    int n, struct tan_error *e);
    /* Called between unsuccessful tests, with the number of earlier calls. */
    void (*pause)(unsigned tries);
};

/* The first is "auto", which only has a name; one without a name ends the table. */
extern const struct wait_policy wait_policies[];
/* The policy `name`, one of the table, or for "auto" the one for this job: `poll` if every rank has
 * a core, else `park`; `block` in simulated time. */
const struct wait_policy *wait_policy_find(const char *name, const struct world *world);

/* Once per channel and job, since bells are never reset. Borrows all arguments. */
void waiter_init(struct waiter *w, const struct wait_policy *policy, const struct world *world,
                 enum channel channel);

/* Complete all receives by the policy, and then deferred sends. */
int wait_receive(struct waiter *w, struct receives *r, struct tan_error *e);

/* While waiting for messages from other hosts: sleep until `target` messages of this host are
 * posted, the network has data for this process, or `seconds` have passed; may be shorter. Returns
 * whether they are posted. After the next call of MPI, report to wait_learn whether a receive has
 * completed. */
bool wait_sleep(struct waiter *w, uint32_t target, double seconds);
void wait_learn(struct waiter *w, bool completed);

/* After sending a message to `rank`, whose next wait may be on this channel: ring its bell, if the
 * policy does and it is on this host. */
void wait_ring(const struct waiter *w, int rank);
/* Between unsuccessful tests of the receive of a single message from any rank: pause as the policy
 * does, until a message may have come, for `seconds` at most. `tries`: earlier tests. wait_learn
 * follows the next test. Not on simulated ranks. */
void wait_pause(struct waiter *w, unsigned tries, double seconds);

/* Send `bytes` at `message` from rank 0 to `rank`, or from another rank to 0, on the channel of
 * `side`, CHANNEL_SIDE. */
void side_send(const struct waiter *side, int rank, const void *message, size_t bytes);
/* Complete the receive of such a message from `rank`. */
int side_receive(struct waiter *side, int rank, MPI_Request *request, struct tan_error *e);

/* Complete sends: MPI may need progress calls to send a large message. */
int wait_send(struct waiter *w, MPI_Request *requests, int n, struct tan_error *e);

/* The same for messages that are known to be received before this rank receives the next one. Most
 * but the shortest are complete only when their receivers have run, which polling meanwhile would
 * delay, and so would a single test, in which Open MPI yields the core where ranks outnumber cores.
 * So their completion is deferred to the next wait_receive, or until a receiver of this host calls
 * for help. `requests`, of which there may be one group at a time, stay in use until then. `local`:
 * number of receivers on this host; sends are deferred only if all are, and not for a while after a
 * call: with some transports receivers fetch long messages alone, with others senders must take
 * part. */
int wait_defer(struct waiter *w, MPI_Request *requests, int n, int local, struct tan_error *e);
/* Complete the deferred sends. */
int wait_deferred(struct waiter *w, struct tan_error *e);

#endif
