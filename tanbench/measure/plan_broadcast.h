/* plan_broadcast.h - broadcast of rank 0's plan
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_PLAN_BROADCAST_H
#define TAN_TANBENCH_MEASURE_PLAN_BROADCAST_H

#include "bench/plan/plan.h"

/* Every rank gets rank 0's `status` and, if that is TAN_DONE, its plan, including trees (their
 * files need not exist on every host). Collective. */
int plan_broadcast(struct plan *plan, int *status, struct tan_error *e);

/* Ranks in shared memory use rank 0's plan and its trees, which only rank 0 changes; they update
 * their copy after each change (collective). */
void plan_share(struct plan *plan);
/* Free it on ranks that own it. */
void plan_release(struct plan *plan, int rank);

#endif
