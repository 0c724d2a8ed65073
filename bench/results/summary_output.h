/* summary_output.h - summaries of samples and predictions, as JSON keys and columns of tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_SUMMARY_OUTPUT_H
#define TAN_BENCH_RESULTS_SUMMARY_OUTPUT_H

#include "base/json_writer.h"
#include "base/table.h"
#include "bench/results/results.h"

/* Set `key` to an interval in microseconds, times `factor`, unless it is unknown. */
void tan_results_set_interval(struct tan_json_writer *w, json_t *object, const char *key,
                              struct tan_interval interval, double factor);
/* Set "median", "mean", "stddev", "min", ... and "ci95" in microseconds, times `factor`. */
void tan_results_set_summary(struct tan_json_writer *w, json_t *object, const struct tan_summary *s,
                             double factor);
/* Set `key` to an array of `n` times in microseconds. */
void tan_results_set_samples(struct tan_json_writer *w, json_t *object, const char *key,
                             const double *seconds, size_t n);
/* A cell of the table: a time in microseconds, with as many digits as `spread`, half the width of
 * its interval in seconds, allows; 0: the usual number. */
void tan_results_print_time(struct tan_table *table, double seconds, double spread);
/* Two cells: the median times `factor` in microseconds, with digits according to its interval, and
 * the interval, "-" if unknown. Returns half its width in microseconds, 0 if unknown. */
double tan_results_print_median(struct tan_table *table, const struct tan_summary *s,
                                double factor);
/* Two cells: a time in microseconds, and its relative error; "-" if unknown. The arguments are in
 * seconds. */
void tan_results_print_prediction(struct tan_table *table, double predicted, double measured);
/* A cell, the first of every row: the topology, and whether it was cut short. */
void tan_results_print_topology(struct tan_table *table, const struct result *result);

#endif
