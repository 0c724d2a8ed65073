/* results_failures.h - results of the mode failures, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RESULTS_FAILURES_H
#define TAN_BENCH_RESULTS_RESULTS_FAILURES_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* Set a cell's object "failures". */
void tan_recoveries_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                        const struct result *result);
/* The mode's table in the order of the command line, and what became of each recovery. */
void tan_results_print_failures(const struct results *r, FILE *to);

#endif
