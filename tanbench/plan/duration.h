/* duration.h - estimated time of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_DURATION_H
#define TAN_TANBENCH_PLAN_DURATION_H

#include "base/text.h"
#include "tanbench/plan/plan.h"

/* Visits to cells in one launch: one per cell and pass. */
int tan_plan_all_visits(const struct plan *plan);
/* Approximate upper bound for the seconds of a visit, averaged over all cells. Assumes that the
 * minimum number of waves fits into the time limit, or that the filters' work dominates. */
double tan_plan_visit_seconds(const struct plan *plan);
/* "up to 40 s if no wave takes more than 0.2 s", for that many visits by real ranks. How
 * long a simulation takes is unknown. */
struct tan_text tan_plan_describe_duration(const struct plan *plan, double visits);
/* Estimated seconds for `left` visits, `elapsed` seconds after the first visit started: each takes
 * the average time of the `measured` ones, or `visit` seconds if there are none. */
double tan_remaining_seconds(double elapsed, int measured, int left, double visit);
/* "40 s", "3 min" or "2.5 h"; seconds and minutes are rounded up. */
struct tan_text tan_duration_text(double seconds);

#endif
