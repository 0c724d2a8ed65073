/* session.h - a running job, controlled by rank 0
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_SESSION_H
#define TAN_TANBENCH_MEASURE_SESSION_H

#include "base/error.h"
#include "tanbench/overlay/clock_sync.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/plan/plan.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/ranks/world.h"
#include "tanbench/sampling/sampling.h"

/* Collective: every rank gets rank 0's `status` and, if that is TAN_DONE, its plan, including trees
 * (their files need not exist on every host). -1 with an error on a rank that lacks memory. */
int plan_broadcast(struct plan *plan, int *status, struct tan_error *e);

/* Collective, for simulated ranks, after rank 0 has changed the plan: they share its cells and
 * trees, and get a new copy of `plan` itself. */
void plan_share(struct plan *plan);
/* Free the plan on ranks that own its parts. */
void plan_release(struct plan *plan, int rank);

/* Rank 0's commands go down a tree of all ranks. Between commands ranks sleep on their doorbells,
 * so that those that take no part in a cell do not disturb the others. */
struct session {
    struct world *world;
    struct world *near; /* for cells on rank 0's host; NULL: none, or this rank is on another one */
    const struct plan *plan;
    const struct wait_policy *policy; /* for measured waves */
    struct timer timer;               /* of rank 0 */
    /* Set by rank 0 after session_open: seconds within which a wave must come back, since
     * connections may never open, or break; 0: no limit. */
    double wave_limit;
    int32_t partner; /* of rank 0 in ping-pongs; 0: placement_partner */
    struct waiter waiters[CHANNELS];
    struct tan_tree *command_tree;
    struct overlay *commands;
    struct clocks *clocks;         /* rank 0 only */
    struct core_probe *core_probe; /* rank 0 only, if all others sleep between waves; else NULL */
    struct tan_tree *link;         /* a root and a leaf: the ping-pong under --emulate */
};

/* Collective. `world` and `plan` are borrowed. */
int session_open(struct session *s, struct world *world, const struct plan *plan,
                 struct tan_error *e);
/* Collective, after rank 0 has ended the session. */
void session_close(struct session *s);

/* Rank 0: measure cell number `index` of the plan. On an error `m` keeps the waves so far, and
 * other ranks may still wait for this one. */
int session_measure(struct session *s, int index, struct measurement *m, struct tan_error *e);
/* Rank 0: end the session on all other ranks. */
int session_end(struct session *s, struct tan_error *e);
/* Every other rank: follow rank 0's commands until it ends the session. */
int session_follow(struct session *s, struct tan_error *e);

#endif
