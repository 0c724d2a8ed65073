/* summary_output.c - summaries of samples and predictions, as JSON keys and columns of tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/summary_output.h"

#include <math.h>

#include "base/units.h"

void tan_results_set_interval(struct tan_json_writer *w, json_t *object, const char *key,
                              struct tan_interval interval, double factor)
{
    if (interval.low <= interval.high) {
        tan_json_set_pair(w, object, key, tan_json_us(factor * interval.low),
                          tan_json_us(factor * interval.high));
    }
}

void tan_results_set_summary(struct tan_json_writer *w, json_t *object, const struct tan_summary *s,
                             double factor)
{
    const struct {
        const char *key;
        double time;
    } rows[] = {{"median", s->median}, {"mean", s->mean}, {"stddev", s->stddev}, {"min", s->min},
                {"p5", s->p5},         {"p25", s->p25},   {"p75", s->p75},       {"p95", s->p95},
                {"p99", s->p99},       {"max", s->max}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tan_json_set_us(w, object, rows[i].key, factor * rows[i].time);
    }
    tan_results_set_interval(w, object, "ci95", s->median_ci95, factor);
}

void tan_results_set_samples(struct tan_json_writer *w, json_t *object, const char *key,
                             const double *seconds, size_t n)
{
    json_t *array = tan_json_set_array(w, object, key);
    for (size_t i = 0; i < n; i++) {
        tan_json_append(w, array, tan_json_us(seconds[i]));
    }
}

void tan_results_print_topology(struct tan_table *table, const struct result *result)
{
    tan_table_cell(table, "%s%s", result->cell->spec, result->complete ? "" : " (cut short)");
}

void tan_results_print_time(struct tan_table *table, double seconds, double spread)
{
    char text[32];
    tan_table_cell(table, "%s", tan_format_value(seconds * 1e6, spread * 1e6, text, sizeof text));
}

double tan_results_print_median(struct tan_table *table, const struct tan_summary *s, double factor)
{
    const struct tan_interval ci95 = s->median_ci95;
    const double us = factor * 1e6;
    bool known = ci95.low <= ci95.high;
    double spread = known ? (ci95.high - ci95.low) / 2 * us : 0;
    char low[32];
    char high[32];
    tan_results_print_time(table, s->median * factor, spread / 1e6);
    if (known) {
        tan_table_cell(table, "%s..%s", tan_format_value(ci95.low * us, spread, low, sizeof low),
                       tan_format_value(ci95.high * us, spread, high, sizeof high));
    } else {
        tan_table_cell(table, "-");
    }
    return spread;
}

void tan_results_print_prediction(struct tan_table *table, double predicted, double measured)
{
    char text[32] = "-";
    if (isfinite(predicted)) {
        tan_format_value(predicted * 1e6, 0, text, sizeof text);
    }
    tan_table_cell(table, "%s", text);
    tan_table_error(table, predicted / measured - 1);
}
