/* results_modes.h - results of the modes oneway and stream, as JSON and as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_RESULTS_MODES_H
#define BENCH_RESULTS_RESULTS_MODES_H

#include <stdio.h>

#include "base/table.h"
#include "bench/results/results.h"

/* All of a summary in microseconds, times `factor`. */
json_t *tan_results_summary_json(const struct tan_summary *s, double factor);
/* The first column of every table. */
void tan_results_print_topology(struct tan_table *table, const struct result *result);

/* What a cell's object has beside what all modes have; `samples` too. */
void tan_results_add_mode(json_t *o, const struct results *r, const struct result *result);

/* The table of the results' mode, in the order of the command line, and remarks under it. */
void tan_results_print_oneway(const struct results *r, FILE *to);
void tan_results_print_stream(const struct results *r, FILE *to);

#endif
