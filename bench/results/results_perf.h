/* results_perf.h - counters of processes, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RESULTS_PERF_H
#define TAN_BENCH_RESULTS_RESULTS_PERF_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* A tree level's share of half a round trip, from level 0 at the root: the time of its process on
 * the measured critical path from the arrival of the request until the answer is about to be sent,
 * minus that of the next process. The path follows the slowest child of each process; its levels
 * add up to half the root's round trip. For a stream: the time per wave in which the level's
 * busiest process does not wait. NaN if unavailable; seconds. */
double tan_perf_level(const struct results *r, const struct result *result, int32_t level);

/* Set "perf" and "perf_levels" of a cell whose processes have counters. */
void tan_perf_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                       const struct result *result);
/* A table per tree, in the order of the command line. */
void tan_perf_print(const struct results *r, FILE *to);

#endif
