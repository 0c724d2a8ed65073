/* results_modes.c - results of modes other than waves, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/plan/settings.h"
#include "tanbench/results/results.h"

/* Of rates, shares etc. */
enum { DECIMALS = 6 };

/* Summary of one time per wave, in seconds, times `factor`. */
static void set_summary_of(struct tan_json_writer *w, json_t *cell, const char *key,
                           const struct result *result, const double *samples, double factor)
{
    struct tan_summary s;
    struct tan_error ignored = TAN_ERROR_INIT;
    if (tan_results_summarize(result, samples, &s, &ignored) < 0) {
        w->failed = true; /* memory is short */
        return;
    }
    tan_results_set_summary(w, tan_json_set_object(w, cell, key), &s, factor);
}

static void set_clocks(struct tan_json_writer *w, json_t *o, const struct clock_quality *q)
{
    tan_json_set_int(w, o, "ranks", q->ranks);
    tan_json_set_int(w, o, "shared", q->shared);
    tan_json_set_us(w, o, "accuracy_us", q->accuracy);
    tan_json_set_us(w, o, "residual_us", q->residual);
    tan_json_set_us(w, o, "check_us", q->check);
    tan_json_set_us(w, o, "shared_offset_us", q->shared_off);
    tan_json_set_us(w, o, "offset_us", q->offset);
    tan_json_set_fixed(w, o, "drift_ppm", q->drift * 1e6, DECIMALS);
    tan_json_set_us(w, o, "round_trip_us", q->round_trip);
}

static void set_flow(struct tan_json_writer *w, json_t *o, const struct flow_result *f)
{
    tan_json_set_int(w, o, "sent", (json_int_t)f->sent);
    tan_json_set_int(w, o, "received", (json_int_t)f->received);
    tan_json_set_int(w, o, "dropped", (json_int_t)(f->sent - f->received));
    tan_json_set_int(w, o, "whole", (json_int_t)f->waves);
    tan_json_set_int(w, o, "partial", (json_int_t)f->partial);
    tan_json_set_int(w, o, "queue_high", f->queue_high);
    tan_json_set_int(w, o, "window", f->window);
}

static void set_rates(struct tan_json_writer *w, json_t *stream, const struct results *r,
                      const struct result *result)
{
    json_t *predicted = tan_json_set_object(w, stream, "predicted_per_s");
    json_t *error = tan_json_set_object(w, stream, "error");
    for (int m = 0; m < TAN_MODELS; m++) {
        double rate = tan_predict_rate(r, result, &tan_models[m]);
        if (tan_models[m].node == NULL && isfinite(rate)) {
            tan_json_set_fixed(w, predicted, tan_models[m].name, rate, DECIMALS);
            tan_json_set_fixed(w, error, tan_models[m].name, rate / result->waves.stream.rate - 1,
                               DECIMALS);
        }
    }
}

static void set_stream(struct tan_json_writer *w, json_t *o, const struct results *r,
                       const struct result *result)
{
    const struct stream_result *t = &result->waves.stream;
    tan_json_set_fixed(w, o, "duration_s", t->duration, DECIMALS);
    tan_json_set_fixed(w, o, "rate_per_s", t->rate, DECIMALS);
    tan_json_set_us(w, o, "closed_round_trip_us", t->closed);
    tan_json_set_us(w, o, "latency_max_us", t->latency_max);
    tan_json_set_us(w, o, "behind_us", t->behind);
    tan_json_set_fixed(w, o, "blocked", t->blocked, DECIMALS);
    tan_json_set_fixed(w, o, "closed_rate_per_s", 1 / t->closed, DECIMALS);
    tan_results_set_summary(w, tan_json_set_object(w, o, "latency_us"), &result->round_trip, 1);
    tan_json_set_fixed(w, o, "frequency_per_s", t->asked > 0 ? t->asked : NAN, DECIMALS);
    if (t->rate_low <= t->rate_high) {
        tan_json_set_pair(w, o, "rate_ci95_per_s", tan_json_fixed(t->rate_low, DECIMALS),
                          tan_json_fixed(t->rate_high, DECIMALS));
    }
    set_rates(w, o, r, result);
}

static void set_ways(struct tan_json_writer *w, json_t *cell, const struct result *result)
{
    const struct measurement *m = &result->waves;
    set_summary_of(w, cell, "up_us", result, m->up, 1);
    set_summary_of(w, cell, "down_us", result, m->down, 1);
    set_summary_of(w, cell, "late_us", result, m->late, 1);
    tan_results_set_samples(w, cell, "samples_up_us", m->up, m->n);
    tan_results_set_samples(w, cell, "samples_down_us", m->down, m->n);
    tan_results_set_samples(w, cell, "samples_late_us", m->late, m->n);
}

static double sum_of(const double *seconds)
{
    return seconds[STEP_NOTICE] + seconds[STEP_REPARENT] + seconds[STEP_RESEND];
}

static void set_recovery(struct tan_json_writer *w, json_t *o, const struct recovery *r)
{
    tan_json_set_int(w, o, "wave", r->wave);
    tan_json_set_int(w, o, "process", r->node);
    tan_json_set_int(w, o, "parent", r->parent);
    tan_json_set_us(w, o, "deadline_us", r->deadline);
    tan_json_set_us(w, o, "waited_us", r->waited);
    tan_json_set_int(w, o, "noticed", r->noticed);
    tan_json_set_int(w, o, "recovered", r->recovered);
    json_t *measured = tan_json_set_object(w, o, "measured_us");
    tan_json_set_us(w, measured, "notice", r->seconds[STEP_NOTICE]);
    tan_json_set_us(w, measured, "reparent", r->seconds[STEP_REPARENT]);
    tan_json_set_us(w, measured, "resend", r->seconds[STEP_RESEND]);
    tan_json_set_us(w, measured, "recovery", sum_of(r->seconds));
}

/* Set a cell's object "failures". */
static void set_failures(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result)
{
    const struct failure *f = &r->plan->settings.failure;
    const struct heal_result *heal = &result->waves.heal;
    json_t *o = tan_json_set_object(w, cell, "failures");
    tan_json_set(w, o, "fail", json_sprintf("%d@%d", (int)f->node, (int)f->wave));
    json_t *recoveries = tan_json_set_array(w, o, "recoveries");
    for (int i = 0; i < heal->n_recoveries; i++) {
        set_recovery(w, tan_json_append_object(w, recoveries), &heal->recoveries[i]);
    }
    json_t *healed = tan_json_set_object(w, o, "healed"); /* waves on the healed tree */
    if (heal->n_healed > 0) {
        tan_json_set_int(w, healed, "n", (json_int_t)heal->n_healed);
        set_summary_of(w, healed, "wave_us", result, heal->healed, half(1));
        tan_results_set_samples(w, healed, "samples_us", heal->healed, heal->n_healed);
    }
}

void tan_results_set_mode(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result)
{
    const struct measurement *m = &result->waves;
    if (m->clocks.ranks > 0) {
        set_clocks(w, tan_json_set_object(w, cell, "clocks"), &m->clocks);
    }
    if (m->flow.window > 0) {
        set_flow(w, tan_json_set_object(w, cell, "flow"), &m->flow);
    }
    if (m->up != NULL) {
        set_ways(w, cell, result);
    }
    if (tan_modes[r->plan->settings.mode].heals) {
        set_failures(w, cell, r, result);
    }
    if (tan_modes[r->plan->settings.mode].pushes) {
        set_stream(w, tan_json_set_object(w, cell, "stream"), r, result);
    }
}

/* Uncertainty of the clocks, once for all cells. */
static void print_clocks(const struct results *r, FILE *to)
{
    struct clock_quality worst = {.ranks = 0};
    for (int i = 0; i < r->n; i++) {
        worst = tan_results_worse_clocks(&worst, &r->list[i].waves.clocks);
    }
    if (worst.ranks == 0) {
        return;
    }
    fprintf(to, "\n");
    tan_text_say(
        to, "Clocks: %s%s.",
        worst.shared < worst.ranks
            ? tan_printed("synchronised to %.2f us (residual %.2f us, drift up to %.1f ppm, "
                          "exchanges of %.1f us)",
                          worst.accuracy * 1e6, worst.residual * 1e6, worst.drift * 1e6,
                          worst.round_trip * 1e6)
                  .text
            : "all ranks share the root's",
        worst.shared > 0
            ? tan_printed("; exchanges between ranks that share one were off by %.2f us at most",
                          worst.shared_off * 1e6)
                  .text
            : "");
}

/* Median and interval of times in seconds: two columns. */
static void print_times(struct tan_table *table, const struct result *result, const double *samples)
{
    struct tan_summary s;
    struct tan_error ignored = TAN_ERROR_INIT;
    if (tan_results_summarize(result, samples, &s, &ignored) < 0) {
        tan_table_cell(table, "-");
        tan_table_cell(table, "-");
        return;
    }
    tan_results_print_median(table, &s, 1);
}

/* One column, empty where the machine file lacks the model's parameters. */
static void print_predicted_up(struct tan_table *table, const struct results *r,
                               const struct result *result, const struct tan_model *model)
{
    const double seconds = tan_predict_up(r, result, model);
    if (isfinite(seconds)) {
        tan_results_print_time(table, seconds, 0);
    } else {
        tan_table_cell(table, "%s", tan_predict_knows(r, model) ? "-" : "");
    }
}

static void print_ways(struct tan_table *table, const struct results *r,
                       const struct result *result)
{
    const struct measurement *m = &result->waves;
    tan_results_print_topology(table, result);
    tan_table_cell(table, "%s", tan_size_text(result->cell->bytes).text);
    tan_table_cell(table, "%d", result->cell->processes);
    tan_table_cell(table, "%zu", m->n);
    print_times(table, result, m->up);
    print_predicted_up(table, r, result, &tan_models[TAN_MODEL_TAN]);
    print_predicted_up(table, r, result, &tan_models[TAN_MODEL_OVERLAP]);
    print_times(table, result, m->down);
    tan_results_print_time(table, tan_results_median(m->late, m->n), 0);
}

void tan_results_print_oneway(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes", "processes", "n",
                                           "up us",     "95 %",  "TAN",       "tan-overlap",
                                           "down us",   "95 %",  "fired late"};
    tan_results_print_rows(r, headings, sizeof headings / sizeof *headings, print_ways, to);
    tan_text_say(to,
                 "\nup: from the agreed instant until the root has all; down: from the request "
                 "until the last leaf has it; fired late: the last leaf after the agreed "
                 "instant.%s",
                 tan_predict_knows(r, &tan_models[TAN_MODEL_TAN]) ? " Models predict the way up."
                                                                  : "");
    print_clocks(r, to);
}

static void print_rate(struct tan_table *table, double rate, double half)
{
    tan_table_cell(table, "%s", tan_value_text(rate > 0 ? rate : NAN, half).text);
}

static bool predicts_stream(const struct results *r)
{
    return tan_predict_knows(r, &tan_models[TAN_MODEL_TAN]);
}

static void print_timed(struct tan_table *table, const struct results *r,
                        const struct result *result)
{
    const struct stream_result *t = &result->waves.stream;
    double model = tan_predict_rate(r, result, &tan_models[TAN_MODEL_TAN]);
    double spread = t->rate_high > t->rate_low ? (t->rate_high - t->rate_low) / 2 : 0;
    tan_results_print_topology(table, result);
    tan_table_cell(table, "%s", tan_size_text(result->cell->bytes).text);
    tan_table_cell(table, "%d", result->cell->processes);
    print_rate(table, t->rate, spread);
    print_rate(table, 1 / t->closed, 0);
    tan_results_print_time(table, result->round_trip.median, 0);
    tan_results_print_time(table, result->round_trip.p99, 0);
    /* "-": interrupted */
    tan_table_cell(table, result->waves.flow.window > 0 ? "%" PRIu32 : "-",
                   result->waves.flow.queue_high);
    if (predicts_stream(r)) {
        print_rate(table, model, 0);
        tan_table_error(table, model / t->rate - 1); /* interrupted if the rate is 0 */
    }
    tan_table_end_row(table);
}

/* Meaning of the columns, and remarks about single cells. */
static void print_remarks(const struct results *r, FILE *to)
{
    tan_text_say(to, "\nwaves/s: sustained at the root; closed: when the root asks for each wave; "
                     "latency: from the first leaf's send to the root's result.");
    if (predicts_stream(r)) {
        fprintf(to, "TAN: steady state of the model, at most the frequency asked for.\n");
    }
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        const struct stream_result *t = &result->waves.stream;
        if (t->asked > 0 && t->rate < 0.99 * t->asked) {
            fprintf(to, "%s takes %.0f of the %.0f waves per second asked for.\n",
                    result->cell->spec, t->rate, t->asked);
        }
    }
}

void tan_results_print_stream(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology",  "bytes", "processes",  "waves/s", "closed",
                                           "latency us", "p99",   "queue high", "TAN",     "error"};
    tan_results_print_rows(r, headings, sizeof headings / sizeof *headings, print_timed, to);
    print_remarks(r, to);
    print_clocks(r, to);
}

/* --- mode failures --- */

/* Median, over the passes, of a step's time. */
static double median_of(const struct heal_result *heal, int step)
{
    double *seconds = malloc((size_t)heal->n_recoveries * sizeof *seconds);
    double median = 0;
    if (seconds != NULL) {
        for (int i = 0; i < heal->n_recoveries; i++) {
            seconds[i] = heal->recoveries[i].seconds[step];
        }
        median = tan_results_median(seconds, (size_t)heal->n_recoveries);
    }
    free(seconds);
    return median;
}

/* A time, or "-" where there is none. */
static void print_time(struct tan_table *table, double seconds)
{
    tan_results_print_time(table, seconds != 0 ? seconds : NAN, 0);
}

static void print_cell(struct tan_table *table, const struct results *r,
                       const struct result *result)
{
    const struct heal_result *heal = &result->waves.heal;
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_summary after = {.median = 0};
    double seconds[STEPS] = {0};
    for (int step = 0; heal->n_recoveries > 0 && step < STEPS; step++) {
        seconds[step] = median_of(heal, step);
    }
    if (heal->n_healed > 0 && tan_results_summarize(result, heal->healed, &after, &ignored) < 0) {
        after.median = 0;
    }
    tan_results_print_topology(table, result);
    tan_table_cell(table, "%" PRId32, r->plan->settings.failure.wave);
    tan_results_print_time(table, half(result->round_trip.median), 0);
    for (int step = 0; step < STEPS; step++) {
        print_time(table, seconds[step]);
    }
    print_time(table, sum_of(seconds));
    print_time(table, half(after.median));
}

/* Which process was given up in the first pass, by whom, after how many seconds. */
static void print_recovery(const struct result *result, FILE *to)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[0];
    char text[1000];
    snprintf(text, sizeof text,
             "%s, wave %" PRId32 "%s: process %" PRId32 " was given up by process %" PRId32
             " after %.4g ms (%.0f x %d ms); %" PRId32 " of %" PRId32
             " leaves had answered by then, %" PRId32 " are in the result",
             result->cell->spec, recovery->wave, result->n_parts > 1 ? ", first pass" : "",
             recovery->node, recovery->parent, recovery->waited * 1e3,
             recovery->deadline / FAIL_SECONDS, FAIL_SECONDS * 1000, recovery->noticed,
             result->cell->leaves, recovery->recovered);
    tan_text_wrap(to, text, 0, 2);
}

void tan_results_print_failures(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology",   "wave",      "before us",   "notice us",
                                           "reparent us", "resend us", "recovery us", "after us"};
    tan_results_print_rows(r, headings, sizeof headings / sizeof *headings, print_cell, to);
    tan_text_say(to,
                 "\nbefore, after: half round trips of waves before and after the failure; notice: "
                 "until the root knows who is silent, after a second for each level below the "
                 "parent of the silent process; reparent: until every process has its new "
                 "parent; resend: until the leaves missing are in the result. Process 0 is the "
                 "root.");
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL && result->waves.heal.n_recoveries > 0) {
            print_recovery(result, to);
        }
    }
}
