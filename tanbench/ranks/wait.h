/* wait.h - how a rank waits for messages: policies as rows of one table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_WAIT_H
#define TANBENCH_RANKS_WAIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

struct wait_policy;

/* One rank's waiting on one channel. */
struct waiter {
    const struct wait_policy *policy;
    const struct world *world;
    struct doorbell *bell; /* ours */
    uint32_t consumed;     /* messages from ranks of this host that were received so far */
    MPI_Request *deferred; /* borrowed: sends that wait for their receivers */
    int n_deferred;
    bool helped;               /* a receiver has called for help with them */
    unsigned urgent, patience; /* so many groups from here on are not deferred, and so many after
                                  the next call */
};

/* Some receives that are waited for together. */
struct receives {
    MPI_Request *requests;
    struct doorbell *const *senders; /* their bells; NULL entries: on another host */
    int n;
    int local;  /* how many of them come from ranks of this host */
    bool brief; /* leaves with siblings, or their parent: while they wait for each other, every
                   offered core is used */
};

struct wait_policy {
    const char *name;
    const char *help;
    bool rings; /* senders must ring the receiver's bell */
    /* Complete all of the receives. -1 when told to stop meanwhile. */
    int (*receive)(struct waiter *w, const struct receives *r, struct tan_error *e);
    /* Called while something is not complete, with the number of calls before: give way. */
    void (*pause)(unsigned tries);
};

/* A row with name NULL ends the table. */
extern const struct wait_policy wait_policies[];

/* `name` is "auto" or a policy; else an error (TAN_USAGE). */
int wait_policy_known(const char *name, struct tan_error *e);
/* The policy called `name`; "auto" chooses for this job: `poll` when every rank has a core, else
 * `park`. */
const struct wait_policy *wait_policy_find(const char *name, const struct world *world,
                                           struct tan_error *e);

/* Once per channel and job: the bell counts for ever. */
void waiter_init(struct waiter *w, const struct wait_policy *policy, const struct world *world,
                 enum channel channel);

/* Complete all receives as the policy says, and then the sends that were deferred. */
int wait_receive(struct waiter *w, const struct receives *r, struct tan_error *e);

/* Complete sends: MPI may need our progress calls to move a large message. */
int wait_send(struct waiter *w, MPI_Request *requests, int n, struct tan_error *e);

/* The same for messages whose receivers must have had them before what this rank receives next can
 * come. A long one needs its receiver, and asking for it meanwhile would keep the core from that:
 * what is not sent at once is completed in the next wait_receive, or before when a receiver of this
 * host calls for help. Until then `requests`, of which there may be one group at a time, are in
 * use. `local`: how many of the receivers are on this host; only when all are is anything
 * deferred, and for a while after a call nothing is: there are transports whose receivers fetch a
 * long message alone, and such whose senders must take part. */
int wait_defer(struct waiter *w, MPI_Request *requests, int n, int local, struct tan_error *e);
int wait_deferred(struct waiter *w, struct tan_error *e);

#endif
