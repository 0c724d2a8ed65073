/* plan_broadcast.h - broadcast of rank 0's plan
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_PLAN_BROADCAST_H
#define TANBENCH_MEASURE_PLAN_BROADCAST_H

#include "bench/plan/plan.h"

/* Every rank gets rank 0's `status` and, when that is TAN_DONE, its plan, trees included (their
 * files need not be on every host). Collective. */
int plan_broadcast(struct plan *plan, int *status, struct tan_error *e);

/* Ranks that share their memory have rank 0's plan, trees and all, which rank 0 alone changes. They
 * take it again after each change (collective). */
void plan_share(struct plan *plan);
/* Free it, on the ranks that own it. */
void plan_release(struct plan *plan, int rank);

#endif
