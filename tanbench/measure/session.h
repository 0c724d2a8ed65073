/* session.h - a running job, in which rank 0 commands and the others follow
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_SESSION_H
#define TANBENCH_MEASURE_SESSION_H

#include "base/error.h"
#include "bench/plan/plan.h"
#include "bench/sampling/sampling.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/ranks/world.h"

/* Commands travel down a tree over all ranks, which sleep on their doorbells between them: ranks
 * without a part in a cell cost the others nothing. */
struct session {
    struct world *world;
    struct world *near; /* for cells on rank 0's host; NULL: none, or this rank is not on it */
    const struct plan *plan;
    const struct wait_policy *policy;   /* of the measured waves */
    struct timer timer;                 /* rank 0's */
    const struct sampling_watch *watch; /* rank 0: of waves while they are taken; borrowed, NULL:
                                           none */
    double first_limit; /* rank 0: seconds until the first wave of a cell must be back, whose
                           connections may never open; 0: no limit */
    struct waiter waiters[CHANNELS];
    struct tan_tree *command_tree;
    struct overlay *commands;
    struct clocks *clocks;         /* rank 0 only */
    struct core_probe *core_probe; /* rank 0 only, where all others sleep between waves, or NULL */
    struct tan_tree *link;         /* a root and a leaf: the ping-pong under --emulate */
};

/* Collective. */
int session_open(struct session *s, struct world *world, const struct plan *plan,
                 struct tan_error *e);
/* Collective, once rank 0 has ended the session. */
void session_close(struct session *s);

/* Rank 0: measure cell number `index` of the plan. Waves measured before an error stay in `m`. */
int session_measure(struct session *s, int index, struct measurement *m, struct tan_error *e);
/* Rank 0: end the session on the others. */
int session_end(struct session *s, struct tan_error *e);
/* Every other rank: follow rank 0 until it ends the session. */
int session_follow(struct session *s, struct tan_error *e);

#endif
