/* plan_broadcast.h - broadcast of rank 0's plan
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_PLAN_BROADCAST_H
#define TANBENCH_MEASURE_PLAN_BROADCAST_H

#include "bench/plan/plan.h"

/* Every rank gets rank 0's `status` and, when that is TAN_DONE, its plan, trees included (their
 * files need not be on every host). Collective. */
int plan_broadcast(struct plan *plan, int *status, struct tan_error *e);

#endif
