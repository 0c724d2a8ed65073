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
#include "tanbench/predict.h"
#include "tanbench/results_modes.h"
#include "tanbench/validate.h"
#include "tanbench/verdict.h"

void results_set_machine(struct results *r, const struct tan_machine *machine)
{
    r->machine = machine;
    for (int i = 0; i < r->n; i++) {
        r->list[i].host_wave = predict_host(r, &r->list[i]);
    }
}

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
    list[r->n].host_wave = predict_host(r, &list[r->n]);
    return &list[r->n++];
}

/* Put `n` more behind the `n_all` that are there. */
static int append(double **all, size_t n_all, const double *more, size_t n, struct tan_error *e)
{
    double *longer = realloc(*all, (n_all + n) * sizeof *longer);

    if (!longer) {
        return tan_fail_nomem(e);
    }
    *all = longer;
    memcpy(longer + n_all, more, n * sizeof *longer);
    return 0;
}

struct clock_quality results_worse_clocks(const struct clock_quality *a,
                                          const struct clock_quality *b)
{
    return (struct clock_quality){.ranks = a->ranks > b->ranks ? a->ranks : b->ranks,
                                  .shared = a->shared > b->shared ? a->shared : b->shared,
                                  .accuracy = fmax(a->accuracy, b->accuracy),
                                  .residual = fmax(a->residual, b->residual),
                                  .check = fmax(a->check, b->check),
                                  .shared_off = fmax(a->shared_off, b->shared_off),
                                  .offset = fmax(a->offset, b->offset),
                                  .drift = fmax(a->drift, b->drift),
                                  .round_trip = fmax(a->round_trip, b->round_trip)};
}

static void add_flow(struct flow_result *all, const struct flow_result *more)
{
    all->sent += more->sent;
    all->received += more->received;
    all->waves += more->waves;
    all->partial += more->partial;
    all->late += more->late;
    all->queue_high = more->queue_high > all->queue_high ? more->queue_high : all->queue_high;
    all->window = more->window;
}

/* Put the waves of one more part behind those of the others. */
static int join(struct measurement *all, const struct measurement *more, struct tan_error *e)
{
    size_t n = all->n + more->n;

    if (append(&all->round_trips, all->n, more->round_trips, more->n, e) ||
        (more->up && (append(&all->up, all->n, more->up, more->n, e) ||
                      append(&all->down, all->n, more->down, more->n, e) ||
                      append(&all->late, all->n, more->late, more->n, e)))) {
        return -1;
    }
    all->period = (all->period * (double)all->n + more->period * (double)more->n) / (double)n;
    all->n = all->capacity = n;
    all->batch = more->batch > all->batch ? more->batch : all->batch;
    all->warmup += more->warmup;
    all->stopped = more->stopped;
    all->clocks = results_worse_clocks(&all->clocks, &more->clocks);
    add_flow(&all->flow, &more->flow);
    lateness_join(&all->lateness, &more->lateness);
    all->timed = more->timed; /* of one launch only */
    return 0;
}

/* Part `k` is undisturbed, or nothing of its launch is. */
static bool counts(const struct part *parts, int n_parts, int k)
{
    bool better = false;

    for (int i = 0; i < n_parts && parts[k].disturbed; i++) {
        better |= parts[i].launch == parts[k].launch && !parts[i].disturbed;
    }
    return !better;
}

bool results_counts(const struct result *result, const struct part *part)
{
    return counts(result->parts, result->n_parts, (int)(part - result->parts));
}

bool results_disturbed(const struct result *result)
{
    bool disturbed = result->n_parts > 0;

    for (int i = 0; i < result->n_parts; i++) {
        disturbed &= result->parts[i].disturbed;
    }
    return disturbed;
}

/* The medians of the passes of each launch become one: a disturbance that lasts as long as one pass
 * moves it little. Returns how many launches there are; `passes` is about the last one's. */
static size_t join_passes(const struct part *parts, int n_parts, double *medians,
                          struct tan_summary *passes, struct tan_error *e)
{
    size_t launches = 0;

    for (int from = 0, to; from < n_parts; from = to) {
        size_t n = (size_t)from;
        for (to = from; to < n_parts && parts[to].launch == parts[from].launch; to++) {
            if (counts(parts, n_parts, to)) {
                medians[n++] = medians[to];
            }
        }
        if (tan_summarize(medians + from, n - (size_t)from, passes, e)) {
            return 0;
        }
        medians[launches++] = passes->median;
    }
    return launches;
}

/* Judge those of the parts that are not judged yet, and summarize their samples together. */
static int judge(struct part *parts, int n_parts, const double *samples, struct tan_summary *s,
                 struct tan_launches *launches, struct tan_error *e)
{
    double *medians = malloc((size_t)n_parts * sizeof *medians);
    struct tan_summary passes;
    bool positive = true;
    size_t n = 0;
    int result = -1;

    if (!medians) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < n_parts; n += parts[i++].n) {
        struct part *part = &parts[i];
        if (part->series.n == 0) {
            if (tan_series_judge(samples + n, part->n, &part->series, e) ||
                tan_summarize(samples + n, part->n, s, e)) {
                goto done;
            }
            part->median = s->median;
        }
        medians[i] = part->median;
        positive &= part->median > 0;
    }
    const size_t n_launches = join_passes(parts, n_parts, medians, &passes, e);
    if (n_launches == 0 || tan_summarize(samples, n, s, e)) {
        goto done;
    }
    launches->n = n_launches;
    if (n_parts == 1) {
        s->median_ci95 = parts[0].series.median_ci95;
    } else if (n_launches == 1) {
        s->median = passes.median;
        s->median_ci95 = passes.median_ci95;
    } else if (!positive) {
        s->median_ci95 = TAN_INTERVAL_UNKNOWN; /* one-way times by clocks that are far off */
    } else {
        *launches = tan_launches_judge(medians, n_launches);
        s->median = launches->centre;
        s->median_ci95 = launches->next95;
    }
    result = 0;
done:
    free(medians);
    return result;
}

int results_summarize(const struct result *result, const double *samples, struct tan_summary *s,
                      struct tan_error *e)
{
    struct part *parts = calloc((size_t)result->n_parts, sizeof *parts);
    struct tan_launches unwanted;

    if (!parts) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < result->n_parts; i++) {
        parts[i].launch = result->parts[i].launch;
        parts[i].n = result->parts[i].n;
        parts[i].disturbed = result->parts[i].disturbed;
    }
    int status = judge(parts, result->n_parts, samples, s, &unwanted, e);
    free(parts);
    return status;
}

/* Describe all launches' waves. */
static int summarize(const struct results *r, struct result *result, struct tan_error *e)
{
    const struct measurement *m = &result->waves;

    if (modes[r->plan->settings.mode].pushes) {
        return tan_summarize(m->round_trips, m->n, &result->round_trip, e);
    }
    return judge(result->parts, result->n_parts, m->round_trips, &result->round_trip,
                 &result->launches, e);
}

int results_add(struct results *r, int index, int launch, int pass, struct measurement *waves,
                bool complete, struct tan_error *e)
{
    struct result *result = result_of(r, index, e);
    struct part *parts = NULL;
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
    parts[result->n_parts++] = (struct part){.launch = launch,
                                             .pass = pass,
                                             .n = waves->n,
                                             .stopped = waves->stopped,
                                             .aside = waves->aside,
                                             .disturbed = waves->disturbed};
    result->complete &= complete;
    status = summarize(r, result, e);
done:
    measurement_clear(waves);
    return status;
}

bool results_has(const struct results *r, int index, int launch, int pass)
{
    const struct result *result = results_at(r, r->plan->cells[index].order);

    for (int i = 0; result && i < result->n_parts; i++) {
        if (result->parts[i].launch == launch && result->parts[i].pass == pass) {
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

/* Microseconds to the nanosecond: no clock here tells more. */
static json_t *microseconds(double seconds)
{
    return json_real(round(seconds * 1e9) / 1e3);
}

static void add_interval(json_t *o, const char *key, struct tan_interval interval, double factor)
{
    if (interval.low <= interval.high) {
        json_object_set_new(o, key,
                            json_pack("[o, o]", microseconds(factor * interval.low),
                                      microseconds(factor * interval.high)));
    }
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
    add_interval(o, "ci95", s->median_ci95, factor);
    return o;
}

double results_median(const double *samples, size_t n)
{
    struct tan_summary s = {.median = 0};
    struct tan_error ignored = TAN_ERROR_INIT;

    return n > 0 && !tan_summarize(samples, n, &s, &ignored) ? s.median : 0;
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
        const struct part *part = &result->parts[i];
        const struct tan_series *s = &part->series;
        json_t *o =
            json_pack("{s:i, s:i, s:I, s:s, s:I, s:b, s:o}", "launch", part->launch, "pass",
                      part->pass, "waves", (json_int_t)part->n, "stopped",
                      stop_reason_names[part->stopped], "aside", (json_int_t)part->aside,
                      "disturbed", part->disturbed, "median_us", microseconds(half(part->median)));
        add_interval(o, "ci95_us", s->median_ci95, half(1));
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

    for (int m = 0; predict_model(m); m++) {
        double seconds = predict_wave(r, result, m);
        if (isfinite(seconds)) {
            double measured = half(result->round_trip.median);
            json_object_set_new(predicted, predict_model(m), microseconds(seconds));
            json_object_set_new(error, predict_model(m),
                                json_real(round((seconds / measured - 1) * 1e6) / 1e6));
        }
    }
    json_object_set_new(o, "predicted_us", predicted);
    json_object_set_new(o, "error", error);
}

/* What the root's own round trips say. */
static void add_round_trips(json_t *o, const struct results *r, const struct result *result)
{
    json_t *wave = results_summary_json(&result->round_trip, half(1));

    json_object_set_new(wave, "ci95_of",
                        json_string(result->launches.n > 1 ? "next launch" : "this launch"));
    if (result->launches.n > 1) {
        add_interval(wave, "centre_ci95", result->launches.ci95, half(1));
        json_object_set_new(wave, "launch_spread", rounded(result->launches.spread));
    }
    json_object_set_new(o, "wave_us", wave);
    json_object_set_new(o, "launches", launches_json(result));
    json_object_set_new(o, "period_us", microseconds(result->waves.period));
    add_predictions(o, r, result);
}

static json_t *cell_json(const struct results *r, const struct result *result)
{
    const struct settings *s = &r->plan->settings;
    const struct cell *cell = result->cell;
    json_t *samples = json_array();
    char gather[64];
    json_t *o = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:s, s:s, s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:s, "
        "s:b}",
        "topo", cell->spec, "leaves", cell->leaves, "processes", cell->processes, "height",
        cell->height, "max_fanout", cell->max_fanout, "bytes", (json_int_t)cell->bytes,
        "request_bytes", (json_int_t)(s->request_bytes < 0 ? cell->bytes : s->request_bytes),
        "mode", modes[s->mode].name, "filter", s->filter, "work_us", microseconds(s->work), "sync",
        gather_format(&s->gather, gather, sizeof gather), "type", element_names[s->element], "wait",
        r->wait, "n", (json_int_t)result->waves.n, "batch", (json_int_t)result->waves.batch,
        "warmup", (json_int_t)result->waves.warmup, "stopped",
        stop_reason_names[result->waves.stopped], "complete", result->complete);

    verdict_add_json(r, result, o);
    if (!modes[s->mode].pushes) {
        add_round_trips(o, r, result);
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
    if (!document || (r->validates && validate_add_json(r, document))) {
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
    fprintf(tan_output_stream(out), "topology,index,round_trip_us,wave_us,bytes,launch,pass\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        size_t j = 0;
        for (int k = 0; k < result->n_parts; k++) {
            for (size_t end = j + result->parts[k].n; j < end; j++) {
                double us = result->waves.round_trips[j] * 1e6;
                fprintf(tan_output_stream(out), "%s,%zu,%.3f,%.4f,%lld,%d,%d\n", result->cell->spec,
                        j, us, half(us), (long long)result->cell->bytes,
                        result->parts[k].launch + 1, result->parts[k].pass + 1);
            }
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
    print_prediction(table, predict_wave(r, result, 1), half(s->median));
    print_prediction(table, predict_wave(r, result, 0), half(s->median));
    if (predict_knows_host(r)) {
        print_prediction(table, predict_wave(r, result, predict_host_model()), half(s->median));
    }
}

void results_print_waves(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes", "processes", "height", "n",
                                           "wave us",   "95 %",  "p95",       "LogP",   "error",
                                           "TAN",       "error", "tan-host",  "error"};
    const char *shown[sizeof headings / sizeof *headings];
    int columns = 0;
    int shortened = 0;

    size_t hidden = predict_knows_host(r) ? 0 : 2;

    for (size_t i = 0; i < sizeof headings / sizeof *headings - hidden; i++) {
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
    if (predict_lacks_sizes(r)) {
        fprintf(to,
                "\nPredictions are for messages of %lld bytes: the machine file does not say what "
                "others cost (tanbench --p2p --calibrate FILE adds it).\n",
                (long long)r->machine->tan.bytes);
    }
    verdict_print(r, to);
}
