/* message_figures.c - figures of validations of single messages, and of simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page/kinds.h"

static void show_errors(struct page *p, const json_t *sizes, const json_t *models)
{
    enum { MODELS = 12 };
    struct tan_chart c;
    const char *model;
    json_t *unused;
    tan_chart_init(&c, "message-errors", "Errors of the models, by message size",
                   "How far each model's one-way time is off, up or down: the lower the better. "
                   "Errors below 0.1 % are drawn at 0.1 %.");
    c.x.title = "bytes";
    c.y.title = "absolute error, %";
    c.x.log = true;
    c.y.log = true;
    json_object_foreach((json_t *)models, model, unused)
    {
        (void)unused;
        if (c.n == MODELS) {
            break;
        }
        tan_chart_add(&c, TAN_POINTS, model);
        for (size_t i = 0; i < json_array_size(sizes); i++) {
            const json_t *size = json_array_get(sizes, i);
            const double error = tan_number_of(json_object_get(size, "error"), model);
            if (isfinite(error)) {
                tan_chart_point(&c, tan_number_of(size, "bytes"), fmax(100.0 * fabs(error), 0.1));
            }
        }
    }
    tan_page_chart(p, &c);
}

static void show_overlap(struct page *p, const json_t *exchanges)
{
    static const struct {
        const char *key, *title;
    } kinds[] = {{"sender_computes", "the sender computes"},
                 {"receiver_computes", "the receiver computes"}};
    struct tan_chart c;
    tan_chart_init(&c, "overlap", "Overlap of computation and communication",
                   "Measured overlap ratios, which are the share of the communication that "
                   "computation hides, against the predicted ones; on the diagonal the "
                   "prediction is right.");
    c.x.title = "measured";
    c.y.title = "predicted";
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        tan_chart_add(&c, TAN_POINTS, kinds[k].title);
        for (size_t i = 0; i < json_array_size(exchanges); i++) {
            const json_t *exchange = json_array_get(exchanges, i);
            const double ratio = tan_number_of(exchange, "overlap_ratio");
            if (strcmp(tan_text_of(exchange, "kind"), kinds[k].key) == 0) {
                tan_chart_point(&c, ratio, ratio + tan_number_of(exchange, "overlap_ratio_error"));
            }
        }
    }
    if (tan_chart_has_data(&c)) {
        tan_chart_add(&c, TAN_RULER, "as measured");
        tan_chart_point(&c, 0.0, 0.0);
        tan_chart_point(&c, 1.0, 1.0);
    }
    tan_page_chart(p, &c);
}

void tan_show_messages(struct page *p, const struct source *s)
{
    const json_t *models = json_object_get(s->document, "models");
    static const struct {
        const char *model, *title;
    } judged[] = {{"fitted", "By the fitted lines"}, {"loggpo", "By LogGPO as published"}};
    const json_t *violations = tan_array_of(s->document, "violations");
    size_t index;
    const char *kind;
    json_t *value;
    double overlap = 0.0;
    tan_page_section(p, "Single messages, predicted and measured", s->name);
    if (json_is_true(json_object_get(s->document, "disturbed"))) {
        tan_page_doubt(
            p, s->name,
            "Other programs used the cores in this run: the errors are not the models'.");
    }
    if (json_is_false(json_object_get(s->document, "repeats"))) {
        tan_page_doubt(p, s->name,
                       "One-way times are not those that the machine file has measured: nothing "
                       "follows for any model.");
    }
    for (size_t i = 0; i < sizeof judged / sizeof judged[0]; i++) {
        value = json_object_get(models, judged[i].model);
        if (value != NULL) {
            tan_page_answer(p, "%s one-way times are %.1f %% off on average, %.1f %% at worst.",
                            judged[i].title, 100.0 * tan_number_of(value, "mean_abs_error"),
                            100.0 * tan_number_of(value, "worst_abs_error"));
        }
    }
    json_array_foreach(violations, index, value)
    {
        tan_page_doubt(p, s->name, json_is_string(value) ? json_string_value(value) : "");
    }
    json_object_foreach(json_object_get(s->document, "exchange_errors"), kind, value)
    {
        const double worst = tan_number_of(value, "worst_overlap_difference");
        overlap = isfinite(worst) ? fmax(overlap, worst) : overlap;
    }
    if (overlap > 0.0) {
        tan_page_answer(p, "Overlap ratios are at most %.2f off.", overlap);
    }
    show_errors(p, tan_array_of(s->document, "sizes"), models);
    show_overlap(p, tan_array_of(s->document, "exchanges"));
}

void tan_show_collective(struct page *p, const struct source *s)
{
    const json_t *algorithms = tan_array_of(s->document, "algorithms");
    struct tan_chart c;
    tan_page_section(p, "Algorithms of a collective", s->name);
    tan_tell_costs(p, s);
    tan_chart_init(&c, "algorithms", "Simulated time, by algorithm",
                   "When the last rank finishes, the fastest algorithm first.");
    c.x.title = "time, us";
    c.x.log = true;
    for (size_t i = 0; i < json_array_size(algorithms); i++) {
        tan_chart_name(&c, &c.y, tan_text_of(json_array_get(algorithms, i), "pattern"));
    }
    tan_chart_add(&c, TAN_POINTS, "");
    for (size_t i = 0; i < json_array_size(algorithms); i++) {
        tan_chart_point(&c, tan_number_of(json_array_get(algorithms, i), "finish_ns") / 1e3,
                        (double)i + 1.0);
    }
    if (json_array_size(algorithms) > 0) {
        tan_tell_fastest(p, s->document);
        const json_t *last = json_array_get(algorithms, json_array_size(algorithms) - 1);
        tan_page_answer(p, "%.80s is the slowest: %.3g times as long.",
                        tan_text_of(last, "pattern"),
                        tan_number_of(last, "finish_ns") /
                            tan_number_of(json_array_get(algorithms, 0), "finish_ns"));
    }
    tan_page_chart(p, &c);
}

/* The longer one of two times of a call, either of which may be unknown; 0: both. */
static double longest_of(const json_t *call, const char *a, const char *b)
{
    return fmax(0.0, fmax(tan_number_of(call, a), tan_number_of(call, b)));
}

/* For a traced program; `simulated`: title of that. Calls that take next to nothing would only
 * stretch the axis. */
static void show_calls(struct page *p, const json_t *calls, const char *simulated)
{
    enum { CALLS = 16 };
    const bool both = json_object_get(json_array_get(calls, 0), "unchanged_us") != NULL;
    const struct {
        const char *key, *title;
    } rows[] = {
        {both ? "unchanged_us" : "traced_us", both ? "simulated without the change" : "as traced"},
        {"simulated_us", simulated}};
    const double least = 1e-4; /* of the longest */
    double longest = 0.0;
    struct tan_chart c;
    tan_chart_init(
        &c, "calls", "Time in MPI calls",
        "Of all ranks together, waiting included. In the simulation, what a nonblocking call "
        "costs is part of the time after it.");
    c.x.title = "ms";
    c.x.log = true;
    for (size_t i = 0; i < json_array_size(calls); i++) {
        longest = fmax(longest, longest_of(json_array_get(calls, i), rows[0].key, rows[1].key));
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (json_object_get(json_array_get(calls, 0), rows[k].key) == NULL) {
            continue;
        }
        tan_chart_add(&c, TAN_POINTS, rows[k].title);
        double at = 0.0;
        for (size_t i = 0; i < json_array_size(calls) && at < CALLS; i++) {
            const json_t *call = json_array_get(calls, i);
            const double us = tan_number_of(call, rows[k].key);
            if (longest_of(call, rows[0].key, rows[1].key) < least * longest) {
                continue;
            }
            at += 1.0;
            if (at > (double)c.y.names) {
                tan_chart_name(&c, &c.y, tan_text_of(call, "name"));
            }
            if (us > 0.0) {
                tan_chart_point(&c, us / 1e3, at);
            }
        }
    }
    tan_page_chart(p, &c);
}

static double finish_under(const json_t *models, const char *name)
{
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        if (strcmp(tan_text_of(model, "model"), name) == 0) {
            return tan_number_of(model, "simulated_us");
        }
    }
    return NAN;
}

static void show_models(struct page *p, const json_t *models)
{
    struct tan_chart c;
    const double fitted = finish_under(models, "fitted");
    const double reference = isnan(fitted) ? finish_under(models, "loggpo") : fitted;
    if (!(reference > 0.0)) {
        return;
    }
    tan_chart_init(&c, "models", "Run time under each model",
                   "The simulated program, by model of its messages: no-overlap and independent "
                   "show what overlap of messages and computation saves, and what it could save.");
    c.x.title = isnan(fitted) ? "longer than under loggpo, %" : "longer than under fitted, %";
    tan_chart_add(&c, TAN_POINTS, "");
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        tan_chart_name(&c, &c.y, tan_text_of(model, "model"));
        tan_chart_point(&c, 100.0 * (tan_number_of(model, "simulated_us") / reference - 1.0),
                        (double)i + 1.0);
    }
    tan_page_chart(p, &c);
}

/* A traced program compared with its simulation. */
static void show_program(struct page *p, const json_t *program, const char *simulated)
{
    enum { RANKS = 64 };
    const struct {
        const char *key, *title;
    } rows[] = {{"traced_us", "as traced"},
                {"simulated_us", simulated},
                {"mpi_us", "in MPI, as traced"},
                {"unchanged_us", "simulated without the change"}};
    const json_t *ranks = tan_array_of(program, "ranks");
    struct tan_chart c;
    tan_chart_init(&c, "program", "Run time of the program, by rank",
                   "From MPI_Init on, as it was traced and as it is simulated; the time in MPI is "
                   "what other messages, or another network, can change.");
    c.x.title = "rank";
    c.y.title = "ms";
    double longest[2] = {0.0, 0.0};
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        if (i < RANKS) {
            tan_chart_name(&c, &c.x, name);
        }
        for (int k = 0; k < 2; k++) {
            longest[k] = fmax(longest[k], tan_number_of(json_array_get(ranks, i), rows[k].key));
        }
    }
    tan_page_answer(p,
                    "The longest rank of the traced program ran for %.4g ms when it was traced and "
                    "takes %.4g ms "
                    "%s.",
                    longest[0] / 1e3, longest[1] / 1e3, simulated);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (k == 3 && json_object_get(json_array_get(ranks, 0), rows[k].key) == NULL) {
            continue;
        }
        tan_chart_add(&c, TAN_POINTS, rows[k].title);
        for (size_t i = 0; i < json_array_size(ranks) && i < RANKS; i++) {
            tan_chart_point(&c, (double)i + 1.0,
                            tan_number_of(json_array_get(ranks, i), rows[k].key) / 1e3);
        }
    }
    tan_page_chart(p, &c);
    show_calls(p, tan_array_of(program, "calls"), simulated);
    tan_show_change(p, tan_array_of(program, "models"));
    show_models(p, tan_array_of(program, "models"));
}

void tan_show_simulation(struct page *p, const struct source *s)
{
    enum { RANKS = 2000, NAMED = 16 }; /* shown, and with names on the axis, at most */
    const json_t *finish = tan_array_of(s->document, "host_finish_ns");
    const size_t n = json_array_size(finish);
    const size_t step = n <= RANKS ? 1 : (n + RANKS - 1) / RANKS;
    const double equal = 0.01; /* ends closer than this share need no chart */
    double last = 0.0;
    double first = INFINITY;
    struct tan_chart c;
    tan_page_section(p, "Simulation", s->name);
    tan_chart_init(
        &c, "finish", "Ends of the ranks",
        "When each rank finished, in simulated time. The rank that is highest ends the run; "
        "ranks far below it had nothing more to do.");
    c.x.title = "rank";
    c.y.title = "time, us";
    for (size_t i = 0; i < n && n <= NAMED; i++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        tan_chart_name(&c, &c.x, name);
    }
    tan_chart_add(&c, TAN_POINTS, "");
    for (size_t i = 0; i < n; i++) {
        const double end = tan_number_at(finish, i) / 1e3;
        last = fmax(last, end);
        first = fmin(first, end);
        if (i % step == 0) {
            tan_chart_point(&c, (double)i + (n <= NAMED ? 1.0 : 0.0), end);
        }
    }
    tan_tell_costs(p, s);
    tan_tell_change(p, s->document);
    tan_page_answer(p, "The simulation of \"%.80s\" ends after %.6g us%s.",
                    tan_text_of(s->document, "source"), last,
                    tan_page_untrusted(tan_simulation_doubted(s->document)));
    tan_show_sensitivity(p, s);
    tan_show_path_shares(p, s);
    if (n > 1) {
        size_t at = 0;
        for (size_t i = 0; i < n; i++) {
            at = tan_number_at(finish, i) / 1e3 == last ? i : at;
        }
        tan_page_answer(p, "Rank %zu of %zu finishes last, and the first one after %.6g us.", at, n,
                        first);
    }
    const json_t *blocked = tan_array_of(s->document, "blocked");
    if (json_array_size(blocked) > 0) {
        tan_page_doubt(p, s->name, "Some ranks wait for messages that never come.");
    }
    if (last - first > equal * last) {
        tan_page_chart(p, &c);
    } else {
        tan_chart_clear(&c);
    }
    const json_t *program = json_object_get(s->document, "program");
    const char *simulated =
        json_object_get(s->document, "change") != NULL ? "simulated with the change" : "simulated";
    if (json_is_object(program)) {
        show_program(p, program, simulated);
    }
}
