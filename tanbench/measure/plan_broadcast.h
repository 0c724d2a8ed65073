/* plan_broadcast.h - broadcast of rank 0's plan
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_PLAN_BROADCAST_H
#define TAN_TANBENCH_MEASURE_PLAN_BROADCAST_H

#include "bench/plan/plan.h"

/* Collective: every rank gets rank 0's `status` and, if that is TAN_DONE, its plan, including trees
 * (their files need not exist on every host). -1 with an error on a rank that lacks memory. */
int plan_broadcast(struct plan *plan, int *status, struct tan_error *e);

/* Collective, for simulated ranks, after rank 0 has changed the plan: they share its cells and
 * trees, and get a new copy of `plan` itself. */
void plan_share(struct plan *plan);
/* Free the plan on ranks that own its parts. */
void plan_release(struct plan *plan, int rank);

#endif
