/* duration.h - estimated time of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_DURATION_H
#define BENCH_PLAN_DURATION_H

#include "bench/plan/plan.h"

/* Visits to cells in one launch: each pass visits a cell once. */
int tan_plan_all_visits(const struct plan *plan);
/* Seconds that a visit takes, at most about: waves that are slower than the time they are
 * allowed are not foreseen. */
double tan_plan_visit_seconds(const struct plan *plan);
/* Seconds that `left` more visits take when `measured` have taken `elapsed`; NaN: none has been
 * measured. */
double tan_remaining_seconds(double elapsed, int measured, int left);
/* "40 s", "3 min" or "2.5 h", rounded up to seconds or minutes; returns `buffer`. */
const char *tan_format_duration(double seconds, char *buffer, size_t size);

#endif
