/* results_modes.c - results of the modes oneway and stream, as JSON and as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_modes.h"

#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/units.h"
#include "bench/plan/mode.h"
#include "bench/results/predict.h"

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

json_t *tan_results_summary_json(const struct tan_summary *s, double factor)
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

void tan_results_print_topology(struct tan_table *table, const struct result *result)
{
    tan_table_cell(table, "%s%s", result->cell->spec, result->complete ? "" : " (cut short)");
}

/* A rate or a share to six digits and more. */
static json_t *number(double value)
{
    return json_real(round(value * 1e6) / 1e6);
}

/* One time in seconds of each wave. */
static json_t *summary_of(const struct result *result, const double *samples)
{
    struct tan_summary s;
    struct tan_error ignored = TAN_ERROR_INIT;

    return tan_results_summarize(result, samples, &s, &ignored) ? json_null()
                                                                : tan_results_summary_json(&s, 1);
}

static json_t *samples_of(const double *samples, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(array, microseconds(samples[i]));
    }
    return array;
}

static void add_clocks(json_t *o, const struct clock_quality *q)
{
    json_object_set_new(
        o, "clocks",
        json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "ranks", q->ranks, "shared",
                  q->shared, "accuracy_us", microseconds(q->accuracy), "residual_us",
                  microseconds(q->residual), "check_us", microseconds(q->check), "shared_offset_us",
                  microseconds(q->shared_off), "offset_us", microseconds(q->offset), "drift_ppm",
                  number(q->drift * 1e6), "round_trip_us", microseconds(q->round_trip)));
}

static void add_flow(json_t *o, const struct flow_result *f)
{
    json_object_set_new(o, "flow",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i}", "sent",
                                  (json_int_t)f->sent, "received", (json_int_t)f->received,
                                  "dropped", (json_int_t)(f->sent - f->received), "late",
                                  (json_int_t)f->late, "whole", (json_int_t)f->waves, "partial",
                                  (json_int_t)f->partial, "queue_high", (int)f->queue_high,
                                  "window", (int)f->window));
}

static void add_timed(json_t *o, const struct results *r, const struct result *result)
{
    const struct stream_result *t = &result->waves.stream;
    json_t *stream =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "duration_s",
                  number(t->duration), "rate_per_s", number(t->rate), "closed_round_trip_us",
                  microseconds(t->closed), "closed_rate_per_s", number(1 / t->closed), "latency_us",
                  tan_results_summary_json(&result->round_trip, 1), "latency_max_us",
                  microseconds(t->latency_max), "behind_us", microseconds(t->behind), "blocked",
                  number(t->blocked), "memory_growth_bytes", (json_int_t)t->growth);
    json_t *predicted = json_object();
    json_t *error = json_object();

    json_object_set_new(stream, "frequency_per_s", t->asked > 0 ? number(t->asked) : json_null());
    if (t->rate_low <= t->rate_high) {
        json_object_set_new(stream, "rate_ci95_per_s",
                            json_pack("[o, o]", number(t->rate_low), number(t->rate_high)));
    }
    if (t->bound > 0) {
        json_object_set_new(stream, "closed_work_us", microseconds(t->closed_work));
        json_object_set_new(stream, "work_us", microseconds(t->work));
        json_object_set_new(stream, "bound_per_s", number(t->bound));
        json_object_set_new(stream, "of_bound", number(t->rate / t->bound));
    }
    for (int m = 0; tan_models[m].name; m++) {
        double rate = tan_predict_rate(r, result, &tan_models[m]);
        if (isfinite(rate)) {
            json_object_set_new(predicted, tan_models[m].name, number(rate));
            json_object_set_new(error, tan_models[m].name, number(rate / t->rate - 1));
        }
    }
    json_object_set_new(stream, "predicted_per_s", predicted);
    json_object_set_new(stream, "error", error);
    json_object_set_new(o, "stream", stream);
}

static void add_sync(json_t *o, const struct result *result)
{
    const struct measurement *m = &result->waves;

    json_object_set_new(o, "up_us", summary_of(result, m->up));
    json_object_set_new(o, "down_us", summary_of(result, m->down));
    json_object_set_new(o, "late_us", summary_of(result, m->late));
    json_object_set_new(o, "samples_up_us", samples_of(m->up, m->n));
    json_object_set_new(o, "samples_down_us", samples_of(m->down, m->n));
}

void tan_results_add_mode(json_t *o, const struct results *r, const struct result *result)
{
    const struct measurement *m = &result->waves;

    if (m->lateness.waves > 0) {
        json_object_set_new(
            o, "lateness",
            json_pack("{s:I, s:I, s:I, s:o, s:o}", "waves", (json_int_t)m->lateness.waves, "behind",
                      (json_int_t)m->lateness.behind, "kept", (json_int_t)m->lateness.kept,
                      "mean_us", microseconds(m->lateness.mean), "max_us",
                      microseconds(m->lateness.most)));
    }
    if (m->clocks.ranks > 0) {
        add_clocks(o, &m->clocks);
    }
    if (m->flow.window > 0) {
        add_flow(o, &m->flow);
    }
    if (m->up) {
        add_sync(o, result);
    }
    if (tan_modes[r->plan->settings.mode].pushes) {
        add_timed(o, r, result);
    }
}

/* How sure the clocks are, once for all cells. */
static void print_clocks(const struct results *r, FILE *to)
{
    struct clock_quality worst = {.ranks = 0};

    for (int i = 0; i < r->n; i++) {
        worst = tan_results_worse_clocks(&worst, &r->list[i].waves.clocks);
    }
    if (worst.ranks == 0) {
        return;
    }
    fprintf(to, "\nClocks: ");
    if (worst.shared < worst.ranks) {
        fprintf(to,
                "synchronised to %.2f us (residual %.2f us, drift up to %.1f ppm, exchanges of "
                "%.1f us)",
                worst.accuracy * 1e6, worst.residual * 1e6, worst.drift * 1e6,
                worst.round_trip * 1e6);
    } else {
        fprintf(to, "all ranks share the root's");
    }
    if (worst.shared > 0) {
        fprintf(to, "; exchanges between ranks that share one were off by %.2f us at most",
                worst.shared_off * 1e6);
    }
    fprintf(to, ".\n");
}

static void print_time(struct tan_table *table, double seconds, double spread)
{
    char text[32];

    tan_table_cell(table, "%s", tan_format_value(seconds * 1e6, spread * 1e6, text, sizeof text));
}

/* Median and interval of times in seconds, two columns. */
static void print_times(struct tan_table *table, const struct result *result, const double *samples)
{
    struct tan_summary s;
    struct tan_error ignored = TAN_ERROR_INIT;
    char low[32];
    char high[32];

    if (tan_results_summarize(result, samples, &s, &ignored)) {
        tan_table_cell(table, "-");
        tan_table_cell(table, "-");
        return;
    }
    bool known = s.median_ci95.low <= s.median_ci95.high;
    double spread = known ? (s.median_ci95.high - s.median_ci95.low) / 2 : 0;
    print_time(table, s.median, spread);
    if (known) {
        tan_table_cell(table, "%s..%s",
                       tan_format_value(s.median_ci95.low * 1e6, spread * 1e6, low, sizeof low),
                       tan_format_value(s.median_ci95.high * 1e6, spread * 1e6, high, sizeof high));
    } else {
        tan_table_cell(table, "-");
    }
}

void tan_results_print_oneway(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes", "processes", "n",    "up us",
                                           "95 %",      "TAN",   "down us",   "95 %", "fired late"};
    struct tan_table *table = tan_table_create(headings, (int)(sizeof headings / sizeof *headings));
    char size[32];

    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (!result) {
            continue;
        }
        const struct measurement *m = &result->waves;
        double tan = tan_predict_up(r, result, &tan_models[0]);
        tan_results_print_topology(table, result);
        tan_table_cell(table, "%s", tan_format_size(result->cell->bytes, size, sizeof size));
        tan_table_cell(table, "%d", result->cell->processes);
        tan_table_cell(table, "%zu", m->n);
        print_times(table, result, m->up);
        if (isfinite(tan)) {
            print_time(table, tan, 0);
        } else {
            tan_table_cell(table, "-");
        }
        print_times(table, result, m->down);
        print_time(table, tan_results_median(m->late, m->n), 0);
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    fprintf(to,
            "\nup: from the agreed instant until the root has all; down: from the request until "
            "the last leaf has it;\nfired late: the last leaf after the agreed instant.\n");
    print_clocks(r, to);
}

static void print_rate(struct tan_table *table, double rate, double half)
{
    char text[32];

    if (rate > 0) {
        tan_table_cell(table, "%s", tan_format_value(rate, half, text, sizeof text));
    } else {
        tan_table_cell(table, "-");
    }
}

static void print_timed(struct tan_table *table, const struct results *r,
                        const struct result *result)
{
    const struct stream_result *t = &result->waves.stream;
    double model = tan_predict_rate(r, result, &tan_models[0]);
    double spread = t->rate_high > t->rate_low ? (t->rate_high - t->rate_low) / 2 : 0;
    char size[32];

    tan_results_print_topology(table, result);
    tan_table_cell(table, "%s", tan_format_size(result->cell->bytes, size, sizeof size));
    tan_table_cell(table, "%d", result->cell->processes);
    print_rate(table, t->rate, spread);
    print_rate(table, 1 / t->closed, 0);
    print_rate(table, t->bound, 0);
    if (t->bound > 0) {
        tan_table_cell(table, "%.0f %%", t->rate / t->bound * 100);
    } else {
        tan_table_cell(table, "-");
    }
    print_time(table, result->round_trip.median, 0);
    print_time(table, result->round_trip.p99, 0);
    if (result->waves.flow.window > 0) {
        tan_table_cell(table, "%u", (unsigned)result->waves.flow.queue_high);
    } else {
        tan_table_cell(table, "-"); /* cut short */
    }
    print_rate(table, isfinite(model) ? model : 0, 0);
    if (isfinite(model)) {
        tan_table_cell(table, "%+.1f %%", (model / t->rate - 1) * 100);
    } else {
        tan_table_cell(table, "-");
    }
}

/* What the columns mean, and what there is to say of single cells. */
static void print_remarks(const struct results *r, FILE *to)
{
    fprintf(to,
            "\nwaves/s: sustained at the root; closed: when the root asks for each wave; bound: "
            "what the cores allow\nthat a wave of the closed loop takes, and the share of it that "
            "was reached; latency: from the first\nleaf's send to the root's result; TAN: steady "
            "state of the model.\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        const struct stream_result *t = &result->waves.stream;
        const struct flow_result *f = &result->waves.flow;
        if (t->asked > 0 && t->rate < 0.99 * t->asked) {
            fprintf(to, "%s takes %.0f of the %.0f waves per second asked for.\n",
                    result->cell->spec, t->rate, t->asked);
        }
        if (f->late > 0) {
            fprintf(to, "%s: %llu of %llu packets came late and went on by themselves.\n",
                    result->cell->spec, (unsigned long long)f->late, (unsigned long long)f->sent);
        }
    }
}

void tan_results_print_stream(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes",      "processes", "waves/s",
                                           "closed",    "bound",      "of it",     "latency us",
                                           "p99",       "queue high", "TAN",       "error"};
    struct tan_table *table = tan_table_create(headings, (int)(sizeof headings / sizeof *headings));

    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result) {
            print_timed(table, r, result);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    print_remarks(r, to);
    print_clocks(r, to);
}
