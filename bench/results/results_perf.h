/* results_perf.h - counters of processes, as JSON and as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_RESULTS_PERF_H
#define BENCH_RESULTS_RESULTS_PERF_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* What a level of the tree, from 0 at the root, takes of half a round trip: the time of its process
 * on the measured critical path, from the request's coming until the answer is about to be sent,
 * less that of the next process. The path goes to the slowest child of each process; its levels add
 * up to half of the root's round trip. Of a stream: the time per wave in which the level's busiest
 * process does not wait. NaN where there is nothing; seconds. */
double tan_perf_level(const struct results *r, const struct result *result, int32_t level);

/* The members "perf" and "perf_levels" of a cell, where processes counted. */
void tan_perf_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                       const struct result *result);
/* A table for each tree, in the order of the command line. */
void tan_perf_print(const struct results *r, FILE *to);

#endif
