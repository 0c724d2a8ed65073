/* duration.h - estimated time of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_DURATION_H
#define BENCH_PLAN_DURATION_H

#include <stddef.h>
#include <time.h>

#include "bench/plan/plan.h"

/* Visits to cells in one launch: each pass visits a cell once. */
int tan_plan_all_visits(const struct plan *plan);
/* Seconds that a visit takes, on the average of all cells, at most about: the first waves, and the
 * time that the others are allowed. */
double tan_plan_visit_seconds(const struct plan *plan);
/* Seconds that `left` visits take from now on, `elapsed` after the first one began. The first of
 * them has begun `within` seconds ago (0: begins now); each takes what the `measured` ones took on
 * average, or `visit` seconds where there are none. `left`: 1 or more. */
double tan_remaining_seconds(double elapsed, double within, int measured, int left, double visit);
/* The time of day `seconds` after `now`, a time of time(), in local time: "14:32", with seconds
 * where it is near, with the day where it is far; returns `buffer`. */
const char *tan_format_end(double seconds, time_t now, char *buffer, size_t size);
/* "40 s", "3 min" or "2.5 h", rounded up to seconds or minutes; returns `buffer`. */
const char *tan_format_duration(double seconds, char *buffer, size_t size);

#endif
