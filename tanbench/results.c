/* results.c - what was measured: the tan-results/1 file, raw samples, and the table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/table.h"
#include "base/units.h"
#include "tanbench/mode.h"
#include "tanbench/results_modes.h"

int results_add(struct results *r, int index, struct measurement *waves, bool complete,
                struct tan_error *e)
{
    struct result *list = realloc(r->list, ((size_t)r->n + 1) * sizeof *list);

    if (!list) {
        measurement_clear(waves);
        return tan_fail_nomem(e);
    }
    r->list = list;
    list[r->n] = (struct result){.cell = &r->plan->cells[index],
                                 .tree = r->plan->trees[index],
                                 .waves = *waves,
                                 .complete = complete};
    if (tan_summarize(waves->round_trips, waves->n, &list[r->n].round_trip, e)) {
        measurement_clear(waves);
        return -1;
    }
    *waves = (struct measurement){.n = 0};
    r->n++;
    return 0;
}

void results_clear(struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        measurement_clear(&r->list[i].waves);
    }
    free(r->list);
    r->list = NULL;
    r->n = 0;
}

const struct result *results_at(const struct results *r, int order)
{
    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell->order == order) {
            return &r->list[i];
        }
    }
    return NULL;
}

double results_predict(const struct results *r, const struct result *result, int model)
{
    if (!r->machine || !result->tree) {
        return NAN;
    }
    return tan_wave_time(&tan_models[model], &r->machine->tan, result->tree);
}

/* Microseconds to the nanosecond: no clock here tells more. */
static json_t *microseconds(double seconds)
{
    return json_real(round(seconds * 1e9) / 1e3);
}

json_t *results_summary_json(const struct tan_summary *s, double factor)
{
    json_t *o = json_object();
    const struct {
        const char *key;
        double round_trip;
    } rows[] = {{"median", s->median}, {"mean", s->mean}, {"stddev", s->stddev}, {"min", s->min},
                {"p5", s->p5},         {"p25", s->p25},   {"p75", s->p75},       {"p95", s->p95},
                {"p99", s->p99},       {"max", s->max}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_object_set_new(o, rows[i].key, microseconds(factor * rows[i].round_trip));
    }
    if (s->median_ci95.low <= s->median_ci95.high) {
        json_object_set_new(o, "ci95",
                            json_pack("[o, o]", microseconds(factor * s->median_ci95.low),
                                      microseconds(factor * s->median_ci95.high)));
    }
    return o;
}

double results_median(const double *samples, size_t n)
{
    struct tan_summary s = {.median = 0};
    struct tan_error ignored = TAN_ERROR_INIT;

    return n > 0 && !tan_summarize(samples, n, &s, &ignored) ? s.median : 0;
}

static void add_predictions(json_t *o, const struct results *r, const struct result *result)
{
    json_t *predicted = json_object();
    json_t *error = json_object();

    for (int m = 0; tan_models[m].name; m++) {
        double seconds = results_predict(r, result, m);
        if (isfinite(seconds)) {
            double measured = half(result->round_trip.median);
            json_object_set_new(predicted, tan_models[m].name, microseconds(seconds));
            json_object_set_new(error, tan_models[m].name,
                                json_real(round((seconds / measured - 1) * 1e6) / 1e6));
        }
    }
    json_object_set_new(o, "predicted_us", predicted);
    json_object_set_new(o, "error", error);
}

static json_t *cell_json(const struct results *r, const struct result *result)
{
    const struct settings *s = &r->plan->settings;
    const struct cell *cell = result->cell;
    json_t *samples = json_array();
    char gather[64];
    json_t *o = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:s, s:s, s:o, s:s, s:s, s:s, s:I, s:I, s:s, s:b}",
        "topo", cell->spec, "leaves", cell->leaves, "processes", cell->processes, "height",
        cell->height, "max_fanout", cell->max_fanout, "bytes", (json_int_t)cell->bytes,
        "request_bytes", (json_int_t)(s->request_bytes < 0 ? cell->bytes : s->request_bytes),
        "mode", modes[s->mode].name, "filter", s->filter, "work_us", microseconds(s->work), "sync",
        gather_format(&s->gather, gather, sizeof gather), "type", element_names[s->element], "wait",
        r->wait, "n", (json_int_t)result->waves.n, "warmup", (json_int_t)result->waves.warmup,
        "stopped", stop_reason_names[result->waves.stopped], "complete", result->complete);

    if (!modes[s->mode].pushes) {
        json_object_set_new(o, "wave_us", results_summary_json(&result->round_trip, half(1)));
        json_object_set_new(o, "period_us", microseconds(result->waves.period));
        add_predictions(o, r, result);
    }
    results_add_mode(o, r, result);
    for (size_t i = 0; i < result->waves.n; i++) {
        json_array_append_new(samples, microseconds(result->waves.round_trips[i]));
    }
    json_object_set_new(o, "samples_us", samples);
    return o;
}

int results_save(const struct results *r, const char *path, struct tan_error *e)
{
    json_t *cells = json_array();
    json_t *document =
        json_pack("{s:s, s:O, s:I, s:s, s:o}", "schema", "tan-results/1", "environment",
                  r->environment, "seed", (json_int_t)r->plan->settings.seed, "machine",
                  r->machine ? r->machine->name : "none", "cells", cells);
    int result = -1;

    for (int i = 0; document && i < r->n; i++) {
        json_array_append_new(cells, cell_json(r, &r->list[i]));
    }
    if (!document) {
        tan_fail_nomem(e);
    } else {
        result = tan_json_save(path, document, e);
    }
    json_decref(document);
    return result;
}

int results_save_raw(const struct results *r, const char *path, struct tan_error *e)
{
    struct tan_output *out = tan_output_open(path, e);

    if (!out) {
        return -1;
    }
    fprintf(tan_output_stream(out), "topology,index,round_trip_us,wave_us,bytes\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        for (size_t j = 0; j < result->waves.n; j++) {
            double us = result->waves.round_trips[j] * 1e6;
            fprintf(tan_output_stream(out), "%s,%zu,%.3f,%.4f,%lld\n", result->cell->spec, j, us,
                    half(us), (long long)result->cell->bytes);
        }
    }
    return tan_output_commit(out, e);
}

void results_print_topology(struct tan_table *table, const struct result *result)
{
    tan_table_cell(table, "%s%s", result->cell->spec, result->complete ? "" : " (cut short)");
}

static void print_prediction(struct tan_table *table, double predicted, double measured)
{
    if (isfinite(predicted)) {
        char text[32];
        tan_table_cell(table, "%s", tan_format_value(predicted * 1e6, 0, text, sizeof text));
        tan_table_cell(table, "%+.1f %%", (predicted / measured - 1) * 100);
    } else {
        tan_table_cell(table, "-");
        tan_table_cell(table, "-");
    }
}

static void print_result(struct tan_table *table, const struct results *r,
                         const struct result *result)
{
    const struct tan_summary *s = &result->round_trip;
    bool known = s->median_ci95.low <= s->median_ci95.high;
    double spread = known ? half(s->median_ci95.high - s->median_ci95.low) / 2 * 1e6 : 0;
    char median[32];
    char low[32];
    char high[32];
    char p95[32];
    char size[32];

    results_print_topology(table, result);
    if (r->plan->settings.n_sizes > 1) {
        tan_table_cell(table, "%s", tan_format_size(result->cell->bytes, size, sizeof size));
    }
    tan_table_cell(table, "%d", result->cell->processes);
    if (result->tree) {
        tan_table_cell(table, "%d", result->cell->height);
    } else {
        tan_table_cell(table, "-");
    }
    tan_table_cell(table, "%zu", result->waves.n);
    tan_table_cell(table, "%s",
                   tan_format_value(half(s->median) * 1e6, spread, median, sizeof median));
    if (known) {
        tan_table_cell(
            table, "%s..%s",
            tan_format_value(half(s->median_ci95.low) * 1e6, spread, low, sizeof low),
            tan_format_value(half(s->median_ci95.high) * 1e6, spread, high, sizeof high));
    } else {
        tan_table_cell(table, "-");
    }
    tan_table_cell(table, "%s", tan_format_value(half(s->p95) * 1e6, spread, p95, sizeof p95));
    print_prediction(table, results_predict(r, result, 1), half(s->median));
    print_prediction(table, results_predict(r, result, 0), half(s->median));
}

void results_print_waves(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes",   "processes", "height",
                                           "n",         "wave us", "95 %",      "p95",
                                           "LogP",      "error",   "TAN",       "error"};
    const char *shown[sizeof headings / sizeof *headings];
    int columns = 0;
    int shortened = 0;

    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strcmp(headings[i], "bytes") != 0 || r->plan->settings.n_sizes > 1) {
            shown[columns++] = headings[i];
        }
    }
    struct tan_table *table = tan_table_create(shown, columns);

    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = results_at(r, order);
        if (result) {
            print_result(table, r, result);
            shortened += result->waves.stopped == STOP_WAVES || result->waves.stopped == STOP_TIME;
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (shortened) {
        fprintf(to,
                "\n%d of %d cells reached --max-waves or --max-time before their interval was "
                "within %g %%.\n",
                shortened, r->n, r->plan->settings.precision * 100);
    }
}

void results_print(const struct results *r, FILE *to)
{
    modes[r->plan->settings.mode].print(r, to);
}
