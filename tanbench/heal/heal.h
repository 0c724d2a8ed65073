/* heal.h - waves on a tree whose processes fall silent, and which heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_HEAL_H
#define TAN_TANBENCH_HEAL_HEAL_H

#include "bench/plan/failure_list.h"
#include "bench/sampling/recovery.h"
#include "tanbench/heal/node.h"

/* A wave: the request goes down, and the answers with the leaves' packets come up. A process gives
 * a child up that has not answered within `detect` for each level from itself down to the lowest
 * process below that child, so that it has had
 * the time to give up its own children, and answers with what it has. The root then knows who is
 * silent and which leaves are missing. It tells all processes the new tree, by a pass without
 * payload, and asks the leaves that are missing again. Passes are numbered; late messages are
 * dropped, and every result names its leaves, so none is counted twice.
 * A process that fails keeps reading its messages, since MPI libraries end jobs whose processes
 * end. */
struct heal;

/* This process's part, on every rank of the tree. `failures`: with nodes drawn. `waiter` is
 * borrowed. NULL with an error. */
struct heal *heal_create(struct waiter *waiter, const struct heal_shape *shape,
                         const struct failure_list *failures, struct tan_error *e);
void heal_destroy(struct heal *h);

/* Root. All return -1 with an error, also on a request to stop. */

/* A whole wave, numbered `wave`, with its recovery if processes were found silent: then *recovery,
 * zero before, has n_steps > 0, and belongs to the caller in any case. *seconds is the time from
 * the request to the result. The result is verified: it holds all leaves that the tree can
 * still reach, and perhaps some that answered before they were lost, once each, with their values
 * for this wave. */
int heal_wave(struct heal *h, int32_t wave, double *seconds, struct recovery *recovery,
              struct tan_error *e);
/* Leaves in the last wave's result. */
const struct leaf_set *heal_result(const struct heal *h);
/* End it on all ranks, which then have received all messages. */
struct heal_summary {
    uint32_t suspected; /* processes found silent that had not failed */
    uint32_t late;      /* messages dropped because they were late */
    double overrun;     /* longest wait of a process beyond its deadline, seconds */
};
int heal_end(struct heal *h, struct heal_summary *summary, struct tan_error *e);

/* Every other rank: take part until the root ends it. */
int heal_follow(struct heal *h, struct tan_error *e);

#endif
