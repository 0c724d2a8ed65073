/* results.c - measured cells, over passes and launches
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "tanbench/plan/settings.h"

/* The result of plan cell `index`, created if necessary. */
static struct result *result_of(struct results *r, int index, struct tan_error *e)
{
    const struct cell *cell = &r->plan->cells[index];
    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell == cell) {
            return &r->list[i];
        }
    }
    if (TAN_ONE_MORE(r->list, r->n) < 0) {
        tan_fail_nomem(e);
        return NULL;
    }
    r->list[r->n] = (struct result){.cell = cell, .tree = r->plan->trees[index], .complete = true};
    return &r->list[r->n++];
}

/* Append `n` samples, `more`, NULL if there is none, to the `n_all` existing ones. */
static int append_samples(double **all, size_t n_all, const double *more, size_t n,
                          struct tan_error *e)
{
    if (n == 0) {
        return 0;
    }
    double *longer = realloc(*all, (n_all + n) * sizeof *longer);
    if (longer == NULL) {
        return tan_fail_nomem(e);
    }
    *all = longer;
    memcpy(longer + n_all, more, n * sizeof *longer);
    return 0;
}

struct clock_quality tan_results_worse_clocks(const struct clock_quality *a,
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

static int add_heal(struct heal_result *all, const struct heal_result *more, struct tan_error *e)
{
    if (append_samples(&all->healed, all->n_healed, more->healed, more->n_healed, e) < 0) {
        return -1;
    }
    all->n_healed += more->n_healed;
    for (int i = 0; i < more->n_recoveries; i++) {
        if (TAN_ONE_MORE(all->recoveries, all->n_recoveries) < 0) {
            return tan_fail_nomem(e);
        }
        all->recoveries[all->n_recoveries++] = more->recoveries[i];
    }
    return 0;
}

/* Append the waves of another part. */
static int append_part(struct result *result, const struct measurement *more, struct tan_error *e)
{
    struct measurement *all = &result->waves;
    size_t n = all->n + more->n;
    if (append_samples(&all->round_trips, all->n, more->round_trips, more->n, e) < 0 ||
        (more->up != NULL && (append_samples(&all->up, all->n, more->up, more->n, e) < 0 ||
                              append_samples(&all->down, all->n, more->down, more->n, e) < 0 ||
                              append_samples(&all->late, all->n, more->late, more->n, e) < 0))) {
        return -1;
    }
    if (n > 0) { /* a process may be killed before the first wave */
        all->period = (all->period * (double)all->n + more->period * (double)more->n) / (double)n;
    }
    all->n = n;
    all->batch = more->batch > all->batch ? more->batch : all->batch;
    all->warmup += more->warmup;
    all->stopped = more->stopped;
    all->clocks = tan_results_worse_clocks(&all->clocks, &more->clocks);
    all->flow = more->flow; /* these two of a single part */
    all->stream = more->stream;
    return add_heal(&all->heal, &more->heal, e);
}

/* Whether part `k` is undisturbed, or no part of its launch is. */
static bool part_is_counted(const struct part *parts, int n_parts, int k)
{
    bool better = false;
    for (int i = 0; i < n_parts && parts[k].disturbed; i++) {
        better |= parts[i].launch == parts[k].launch && !parts[i].disturbed;
    }
    return !better;
}

bool tan_results_counts(const struct result *result, const struct part *part)
{
    return part_is_counted(result->parts, result->n_parts, (int)(part - result->parts));
}

bool tan_results_disturbed(const struct result *result)
{
    bool disturbed = result->n_parts > 0;
    for (int i = 0; i < result->n_parts; i++) {
        disturbed &= result->parts[i].disturbed;
    }
    return disturbed;
}

/* Level 1, a part: its waves in the order of measurement. */
static int judge_part(struct part *part, const double *samples, struct tan_error *e)
{
    struct tan_summary waves;
    if (tan_series_judge(samples, part->n, &part->series, e) < 0 ||
        tan_summarize(samples, part->n, &waves, e) < 0) {
        return -1;
    }
    part->median = waves.median;
    return 0;
}

/* Level 2, a launch: the medians of its passes, the counted ones among parts `from` to `to` - 1; a
 * disturbance as short as one pass hardly changes their median. */
static int judge_launch(const struct part *parts, int n_parts, int from, int to,
                        struct tan_summary *passes, struct tan_error *e)
{
    double *medians = malloc((size_t)(to - from) * sizeof *medians);
    size_t n = 0;
    if (medians == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = from; i < to; i++) {
        if (part_is_counted(parts, n_parts, i)) {
            medians[n++] = parts[i].median;
        }
    }
    int result = tan_summarize(medians, n, passes, e);
    free(medians);
    return result;
}

/* Level 3, all launches: see struct result. `medians` has room for one per launch. */
static int judge_all(const struct part *parts, int n_parts, double *medians, struct tan_summary *s,
                     struct tan_launches *launches, struct tan_error *e)
{
    struct tan_summary passes = {.n = 0};
    bool positive = true;
    *launches = (struct tan_launches){.n = 0};
    for (int from = 0, to; from < n_parts; from = to) {
        for (to = from; to < n_parts && parts[to].launch == parts[from].launch; to++) {
            positive &= parts[to].median > 0;
        }
        if (judge_launch(parts, n_parts, from, to, &passes, e) < 0) {
            return -1;
        }
        medians[launches->n++] = passes.median;
    }
    if (n_parts == 1) {
        s->median_ci95 = parts[0].series.median_ci95;
    } else if (launches->n == 1) {
        s->median = passes.median;
        s->median_ci95 = passes.median_ci95;
    } else if (!positive) {
        s->median_ci95 = TAN_INTERVAL_UNKNOWN; /* one-way times with badly synchronised clocks */
    } else {
        *launches = tan_launches_judge(medians, launches->n);
        s->median = launches->centre;
        s->median_ci95 = launches->prediction95;
    }
    return 0;
}

/* Test the untested parts, and summarize their samples together. */
static int summarize_parts(struct part *parts, int n_parts, const double *samples,
                           struct tan_summary *s, struct tan_launches *launches,
                           struct tan_error *e)
{
    size_t n = 0;
    for (int i = 0; i < n_parts; n += parts[i++].n) {
        if (parts[i].series.n == 0 && judge_part(&parts[i], samples + n, e) < 0) {
            return -1;
        }
    }
    double *medians = malloc((size_t)n_parts * sizeof *medians);
    if (medians == NULL) {
        return tan_fail_nomem(e);
    }
    int result = tan_summarize(samples, n, s, e) < 0 ||
                         judge_all(parts, n_parts, medians, s, launches, e) < 0
                     ? -1
                     : 0;
    free(medians);
    return result;
}

int tan_results_summarize(const struct result *result, const double *samples, struct tan_summary *s,
                          struct tan_error *e)
{
    const bool healed = samples == result->waves.heal.healed;
    struct part *parts = calloc((size_t)result->n_parts, sizeof *parts);
    struct tan_launches unwanted;
    int n_parts = 0;
    if (parts == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < result->n_parts; i++) {
        const struct part *part = &result->parts[i];
        const size_t n = healed ? part->n_healed : part->n;
        if (n > 0) {
            parts[n_parts++] =
                (struct part){.launch = part->launch, .n = n, .disturbed = part->disturbed};
        }
    }
    int status = summarize_parts(parts, n_parts, samples, s, &unwanted, e);
    free(parts);
    return status;
}

/* Summarize the waves of all launches. */
static int summarize_result(const struct results *r, struct result *result, struct tan_error *e)
{
    const struct measurement *m = &result->waves;
    if (tan_modes[r->plan->settings.mode].pushes) {
        return tan_summarize(m->round_trips, m->n, &result->round_trip, e);
    }
    return summarize_parts(result->parts, result->n_parts, m->round_trips, &result->round_trip,
                           &result->launches, e);
}

int tan_results_add(struct results *r, int index, int launch, int pass, struct measurement *waves,
                    bool complete, struct tan_error *e)
{
    struct result *result = result_of(r, index, e);
    int status = -1;
    if (result == NULL || append_part(result, waves, e) < 0) {
        goto done;
    }
    if (TAN_ONE_MORE(result->parts, result->n_parts) < 0) {
        tan_fail_nomem(e);
        goto done;
    }
    result->parts[result->n_parts++] = (struct part){.launch = launch,
                                                     .pass = pass,
                                                     .n = waves->n,
                                                     .n_healed = waves->heal.n_healed,
                                                     .stopped = waves->stopped,
                                                     .excluded = waves->excluded,
                                                     .disturbed = waves->disturbed,
                                                     .complete = complete};
    result->complete &= complete;
    status = summarize_result(r, result, e);
done:
    tan_measurement_clear(waves);
    return status;
}

int tan_results_put(struct results *r, int index, struct measurement *waves, struct part *parts,
                    int n_parts, struct tan_error *e)
{
    struct result *result = result_of(r, index, e);
    if (result == NULL) {
        tan_measurement_clear(waves);
        free(parts);
        return -1;
    }
    result->waves = *waves;
    result->parts = parts;
    result->n_parts = n_parts;
    return summarize_result(r, result, e);
}

bool tan_results_has(const struct results *r, int index, int launch, int pass)
{
    const struct result *result = tan_results_at(r, r->plan->cells[index].order);
    bool found = false;
    for (int i = 0; result != NULL && i < result->n_parts; i++) {
        const struct part *part = &result->parts[i];
        found |= part->launch == launch && part->pass == pass && part->complete;
    }
    return found;
}

void tan_results_clear(struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        tan_measurement_clear(&r->list[i].waves);
        free(r->list[i].parts);
    }
    free(r->list);
    r->list = NULL;
    r->n = 0;
    tan_doubts_clear(&r->doubts);
}

bool tan_results_simulated(const struct results *r)
{
    return json_object_get(r->environment, "simulated") != NULL;
}

const struct result *tan_results_at(const struct results *r, int order)
{
    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell->order == order) {
            return &r->list[i];
        }
    }
    return NULL;
}

double tan_results_median(const double *samples, size_t n)
{
    struct tan_summary s = {.median = 0};
    struct tan_error ignored = TAN_ERROR_INIT;
    return n > 0 && tan_summarize(samples, n, &s, &ignored) == 0 ? s.median : 0;
}

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

void tan_results_print_rows(const struct results *r, const char *const *headings, int columns,
                            void (*print_row)(struct tan_table *, const struct results *,
                                              const struct result *),
                            FILE *to)
{
    struct tan_table *table = tan_table_create(headings, columns);
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL) {
            print_row(table, r, result);
        }
    }
    tan_table_hide_empty(table);
    tan_table_print(table, to);
}

void tan_results_print_topology(struct tan_table *table, const struct result *result)
{
    tan_table_cell(table, "%s%s", result->cell->spec, result->complete ? "" : " (cut short)");
}

void tan_results_print_time(struct tan_table *table, double seconds, double spread)
{
    tan_table_cell(table, "%s", tan_value_text(seconds * 1e6, spread * 1e6).text);
}

double tan_results_print_median(struct tan_table *table, const struct tan_summary *s, double factor)
{
    const struct tan_interval ci95 = s->median_ci95;
    const double us = factor * 1e6;
    bool known = ci95.low <= ci95.high;
    double spread = known ? (ci95.high - ci95.low) / 2 * us : 0;
    tan_results_print_time(table, s->median * factor, spread / 1e6);
    tan_table_cell(table, known ? "%s..%s" : "-", tan_value_text(ci95.low * us, spread).text,
                   tan_value_text(ci95.high * us, spread).text);
    return spread;
}
