/* results_modes.h - results of the modes oneway and stream, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_RESULTS_MODES_H
#define BENCH_RESULTS_RESULTS_MODES_H

#include <stdio.h>

#include "base/json_writer.h"
#include "base/table.h"
#include "bench/results/results.h"

/* Unknown intervals are left out; times are multiplied by `factor`. */
void tan_results_set_interval(struct tan_json_writer *w, json_t *object, const char *key,
                              struct tan_interval interval, double factor);
void tan_results_set_summary(struct tan_json_writer *w, json_t *object, const struct tan_summary *s,
                             double factor);
void tan_results_set_samples(struct tan_json_writer *w, json_t *object, const char *key,
                             const double *seconds, size_t n);
/* Two cells: the median times `factor` in microseconds, with digits according to its interval, and
 * the interval, "-" if unknown. Returns half its width in microseconds, 0 if unknown. */
double tan_results_print_median(struct tan_table *table, const struct tan_summary *s,
                                double factor);
/* Two cells: a predicted time in seconds, and its error; "-" if unknown. */
void tan_results_print_prediction(struct tan_table *table, double predicted, double measured);
/* The first column of every table. */
void tan_results_print_topology(struct tan_table *table, const struct result *result);

/* Set members of a cell's object that are specific to the mode. */
void tan_results_set_mode(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result);

/* The mode's table in the order of the command line, and remarks below it. */
void tan_results_print_oneway(const struct results *r, FILE *to);
void tan_results_print_stream(const struct results *r, FILE *to);

#endif
