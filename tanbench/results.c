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
#include "tanbench/verdict.h"

/* The result that the waves of plan cell `index` go to, new when there is none. */
static struct result *result_of(struct results *r, int index, struct tan_error *e)
{
    const struct cell *cell = &r->plan->cells[index];

    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell == cell) {
            return &r->list[i];
        }
    }
    struct result *list = realloc(r->list, ((size_t)r->n + 1) * sizeof *list);
    if (!list) {
        tan_fail_nomem(e);
        return NULL;
    }
    r->list = list;
    list[r->n] = (struct result){.cell = cell, .tree = r->plan->trees[index], .complete = true};
    return &list[r->n++];
}

/* Put the waves of one more launch behind those of the others. */
static int join(struct measurement *all, const struct measurement *more, struct tan_error *e)
{
    size_t n = all->n + more->n;
    double *round_trips = realloc(all->round_trips, n * sizeof *round_trips);

    if (!round_trips) {
        return tan_fail_nomem(e);
    }
    memcpy(round_trips + all->n, more->round_trips, more->n * sizeof *round_trips);
    *all = (struct measurement){
        .round_trips = round_trips,
        .n = n,
        .capacity = n,
        .batch = more->batch > all->batch ? more->batch : all->batch,
        .warmup = all->warmup + more->warmup,
        .stopped = more->stopped,
        .period = (all->period * (double)all->n + more->period * (double)more->n) / (double)n};
    return 0;
}

/* Describe all launches' waves; the last part's are new. */
static int summarize(struct result *result, struct tan_error *e)
{
    struct launch_part *part = &result->parts[result->n_parts - 1];
    const double *samples = result->waves.round_trips + result->waves.n - part->n;
    struct tan_summary *s = &result->round_trip;
    double *medians = malloc((size_t)result->n_parts * sizeof *medians);

    if (!medians) {
        return tan_fail_nomem(e);
    }
    if (tan_series_judge(samples, part->n, &part->series, e) ||
        tan_summarize(samples, part->n, s, e)) {
        free(medians);
        return -1;
    }
    part->median = s->median;
    for (int i = 0; i < result->n_parts; i++) {
        medians[i] = result->parts[i].median;
    }
    result->launches = tan_launches_judge(medians, (size_t)result->n_parts);
    free(medians);
    if (tan_summarize(result->waves.round_trips, result->waves.n, s, e)) {
        return -1;
    }
    if (result->n_parts == 1) {
        s->median_ci95 = part->series.median_ci95;
    } else {
        s->median = result->launches.centre;
        s->median_ci95 = result->launches.next95;
    }
    return 0;
}

int results_add(struct results *r, int index, int launch, struct measurement *waves, bool complete,
                struct tan_error *e)
{
    struct result *result = result_of(r, index, e);
    struct launch_part *parts = NULL;
    int status = -1;

    if (!result || join(&result->waves, waves, e)) {
        goto done;
    }
    parts = realloc(result->parts, ((size_t)result->n_parts + 1) * sizeof *parts);
    if (!parts) {
        tan_fail_nomem(e);
        goto done;
    }
    result->parts = parts;
    parts[result->n_parts++] =
        (struct launch_part){.launch = launch, .n = waves->n, .stopped = waves->stopped};
    result->complete &= complete;
    status = summarize(result, e);
done:
    measurement_clear(waves);
    return status;
}

bool results_has(const struct results *r, int index, int launch)
{
    const struct result *result = results_at(r, r->plan->cells[index].order);

    for (int i = 0; result && i < result->n_parts; i++) {
        if (result->parts[i].launch == launch) {
            return true;
        }
    }
    return false;
}

void results_clear(struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        measurement_clear(&r->list[i].waves);
        free(r->list[i].parts);
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

static void add_interval(json_t *o, const char *key, struct tan_interval round_trip)
{
    if (round_trip.low <= round_trip.high) {
        json_object_set_new(o, key,
                            json_pack("[o, o]", microseconds(half(round_trip.low)),
                                      microseconds(half(round_trip.high))));
    }
}

static json_t *summary_json(const struct tan_summary *s)
{
    json_t *o = json_object();
    const struct {
        const char *key;
        double round_trip;
    } rows[] = {{"median", s->median}, {"mean", s->mean}, {"stddev", s->stddev}, {"min", s->min},
                {"p5", s->p5},         {"p25", s->p25},   {"p75", s->p75},       {"p95", s->p95},
                {"p99", s->p99},       {"max", s->max}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_object_set_new(o, rows[i].key, microseconds(half(rows[i].round_trip)));
    }
    add_interval(o, "ci95", s->median_ci95);
    return o;
}

/* Probabilities and the like: more digits would say nothing. */
static json_t *rounded(double value)
{
    return json_real(round(value * 1e4) / 1e4);
}

static json_t *launches_json(const struct result *result)
{
    json_t *launches = json_array();

    for (int i = 0; i < result->n_parts; i++) {
        const struct launch_part *part = &result->parts[i];
        const struct tan_series *s = &part->series;
        json_t *o = json_pack("{s:i, s:I, s:s, s:o}", "launch", part->launch, "waves",
                              (json_int_t)part->n, "stopped", stop_reason_names[part->stopped],
                              "median_us", microseconds(half(part->median)));
        add_interval(o, "ci95_us", s->median_ci95);
        json_object_update_new(o, json_pack("{s:o, s:o, s:o, s:o, s:o}", "n_effective",
                                            rounded(s->n_effective), "lag1", rounded(s->lag1),
                                            "lag1_p", rounded(s->lag1_p), "drift",
                                            rounded(s->drift), "drift_p", rounded(s->drift_p)));
        json_array_append_new(launches, o);
    }
    return launches;
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
    json_t *o = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:s, s:b}", "topo",
        cell->spec, "leaves", cell->leaves, "processes", cell->processes, "height", cell->height,
        "max_fanout", cell->max_fanout, "bytes", (json_int_t)s->bytes, "request_bytes",
        (json_int_t)(s->request_bytes < 0 ? s->bytes : s->request_bytes), "mode", "waves", "filter",
        s->filter, "type", element_names[s->element], "wait", r->wait, "n",
        (json_int_t)result->waves.n, "batch", (json_int_t)result->waves.batch, "warmup",
        (json_int_t)result->waves.warmup, "stopped", stop_reason_names[result->waves.stopped],
        "complete", result->complete);

    json_t *wave = summary_json(&result->round_trip);
    json_object_set_new(wave, "ci95_of",
                        json_string(result->n_parts > 1 ? "next launch" : "this launch"));
    if (result->n_parts > 1) {
        add_interval(wave, "centre_ci95", result->launches.ci95);
        json_object_set_new(wave, "launch_spread", rounded(result->launches.spread));
    }
    json_object_set_new(o, "wave_us", wave);
    json_object_set_new(o, "launches", launches_json(result));
    verdict_add_json(r, result, o);
    json_object_set_new(o, "period_us", microseconds(result->waves.period));
    add_predictions(o, r, result);
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
    fprintf(tan_output_stream(out), "topology,index,round_trip_us,wave_us,bytes,launch\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        size_t j = 0;
        for (int k = 0; k < result->n_parts; k++) {
            for (size_t end = j + result->parts[k].n; j < end; j++) {
                double us = result->waves.round_trips[j] * 1e6;
                fprintf(tan_output_stream(out), "%s,%zu,%.3f,%.4f,%lld,%d\n", result->cell->spec, j,
                        us, half(us), (long long)r->plan->settings.bytes,
                        result->parts[k].launch + 1);
            }
        }
    }
    return tan_output_commit(out, e);
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

    tan_table_cell(table, "%s%s", result->cell->spec, result->complete ? "" : " (cut short)");
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

void results_print(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "processes", "height", "n",
                                           "wave us",   "95 %",      "p95",    "LogP",
                                           "error",     "TAN",       "error"};
    struct tan_table *table = tan_table_create(headings, (int)(sizeof headings / sizeof *headings));
    int shortened = 0;

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
    verdict_print(r, to);
}
