/* wait.h - how a rank waits for messages: policies as rows of one table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_WAIT_H
#define TANBENCH_WAIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/world.h"

struct wait_policy;

/* One rank's waiting on one channel. */
struct waiter {
    const struct wait_policy *policy;
    const struct world *world;
    struct bell *bell; /* ours */
    uint32_t consumed; /* messages from ranks of this host that were received so far */
};

/* Some receives that are waited for together. */
struct receives {
    MPI_Request *requests;
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

/* Complete all receives as the policy says. */
static inline int wait_receive(struct waiter *w, const struct receives *r, struct tan_error *e)
{
    return w->policy->receive(w, r, e);
}

/* Complete sends: MPI may need our progress calls to move a large message. */
int wait_send(struct waiter *w, MPI_Request *requests, int n, struct tan_error *e);

#endif
