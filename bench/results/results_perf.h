/* results_perf.h - counters of processes, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RESULTS_PERF_H
#define TAN_BENCH_RESULTS_RESULTS_PERF_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* A level's share of half a round trip, in seconds; level 0 is the root. The measured critical path
 * leads from each process to its slowest child. A process's time lasts from the arrival of the
 * request until it is about to answer; the share is half the difference between the times of the
 * path's processes on this level and the next. The levels add up to half the root's round trip. For
 * a stream: the time per wave in which the level's busiest process does not wait. NaN below the
 * path. The cell must have counters. */
double tan_perf_level(const struct results *r, const struct result *result, int32_t level);

/* Set "perf" and "perf_levels" of a cell whose processes have counters. */
void tan_perf_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                       const struct result *result);
/* A table per tree, in the order of the command line. */
void tan_perf_print(const struct results *r, FILE *to);

#endif
