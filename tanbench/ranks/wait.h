/* wait.h - policies of waiting for messages, rows of one table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_WAIT_H
#define TANBENCH_RANKS_WAIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

struct wait_policy;

/* State of one rank's waiting on one channel. */
struct waiter {
    const struct wait_policy *policy;
    const struct world *world;
    struct doorbell *bell; /* ours */
    uint32_t consumed;     /* messages from ranks of this host that were received so far */
    bool slept;            /* wait_sleep was called since wait_learn */
    MPI_Request *deferred; /* borrowed: sends that wait for their receivers */
    int n_deferred;
    bool helped;              /* a receiver has called for help with them */
    unsigned undeferred;      /* groups from now on that are not deferred */
    unsigned next_undeferred; /* the same after the next call */
};

/* Receives that are waited for together. */
struct receives {
    MPI_Request *requests;
    struct doorbell *const *senders; /* their bells; NULL entries: on another host */
    int n;
    int local;   /* how many of them come from ranks of this host */
    double wait; /* seconds that they usually take, learnt while waiting for other hosts */
    bool brief;  /* leaves with siblings, or their parent: while they wait for each other, each
                    yielded core is used */
};

struct wait_policy {
    const char *name;
    const char *help;
    bool rings;  /* senders must ring the receiver's bell */
    bool blocks; /* waits inside MPI: for a stream, by MPI_Waitsome */
    /* Complete all of the receives. -1 on a request to stop. */
    int (*receive)(struct waiter *w, struct receives *r, struct tan_error *e);
    /* Complete all requests. `senders`: bells of ranks that may have to help, or NULL. */
    int (*complete)(const struct waiter *w, MPI_Request *requests, struct doorbell *const *senders,
                    int n, struct tan_error *e);
    /* Called between unsuccessful tests, with the number of calls before. */
    void (*pause)(unsigned tries);
};

/* A row with name NULL ends the table. */
extern const struct wait_policy wait_policies[];

/* `name` is "auto" or a policy; else an error (TAN_USAGE). */
int wait_policy_known(const char *name, struct tan_error *e);
/* The policy called `name`; "auto" chooses for this job: `poll` when every rank has a core, else
 * `park`; `block` in simulated time. */
const struct wait_policy *wait_policy_find(const char *name, const struct world *world,
                                           struct tan_error *e);

/* The policy of ranks that have nothing to do for long. */
const struct wait_policy *wait_policy_asleep(const struct world *world, struct tan_error *e);

/* Once per channel and job: the bell is never reset. */
void waiter_init(struct waiter *w, const struct wait_policy *policy, const struct world *world,
                 enum channel channel);

/* Complete all receives by the policy, and then the deferred sends. */
int wait_receive(struct waiter *w, struct receives *r, struct tan_error *e);

/* Where messages of other hosts are awaited: sleep until `target` messages of this host are posted,
 * the network has something for this process, or `seconds` have passed, which may be cut short.
 * Returns whether they are posted. After the next call to MPI, wait_learn is told whether a receive
 * has completed. */
bool wait_sleep(struct waiter *w, uint32_t target, double seconds);
void wait_learn(struct waiter *w, bool completed);

/* Complete sends: MPI may need progress calls to move a large message. */
int wait_send(struct waiter *w, MPI_Request *requests, int n, struct tan_error *e);

/* The same for messages that must have been received before the next message to this rank can be
 * sent. A long one needs its receiver, and polling for it meanwhile would keep the core from that
 * rank: what is not sent at once is completed in the next wait_receive, or before when a receiver
 * of this host calls for help. Until then `requests`, of which there may be one group at a time,
 * are in use. `local`: number of receivers on this host; only when all are is anything deferred,
 * and for a while after a call nothing is: in some transports receivers fetch a long message alone,
 * in others senders must take part. */
int wait_defer(struct waiter *w, MPI_Request *requests, int n, int local, struct tan_error *e);
int wait_deferred(struct waiter *w, struct tan_error *e);

#endif
