/* message_figures.c - figures of validations of single messages, and of simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/kinds.h"
#include "page/rows.h"

static void add_diagonal(struct tan_chart *c, const json_t *document)
{
    (void)document;
    if (tan_chart_has_data(c)) {
        tan_chart_add(c, TAN_RULER, "as measured");
        tan_chart_point(c, 0.0, 0.0);
        tan_chart_point(c, 1.0, 1.0);
    }
}

#define OVERLAP(title, kind)                                                                       \
    {                                                                                              \
        TAN_POINTS, title, "exchanges",                                                            \
            .value = {"overlap_ratio", "overlap_ratio + overlap_ratio_error"},                     \
            .only = "kind=" kind                                                                   \
    }

static const struct tan_figure message_figures[] = {
    {"message-errors", "Errors of the models, by message size", "bytes", "absolute error, %", "xy",
     "How far each model's one-way time is off, up or down: the lower the better. Errors below "
     "0.1 % are drawn at 0.1 %.",
     .rows = {{TAN_POINTS, "{@}", "sizes", .value = {"bytes", "error.@ abs * 100 max 0.1"},
               .each = "models"}}},
    {"overlap", "Overlap of computation and communication", "measured", "predicted", "",
     "Measured overlap ratios, which are the share of the communication that computation hides, "
     "against the predicted ones; on the diagonal the prediction is right.",
     .rows = {OVERLAP("the sender computes", "sender_computes"),
              OVERLAP("the receiver computes", "receiver_computes"),
              {.draw = add_diagonal}}},
    {.name = NULL}};

void tan_show_messages(struct page *p, const struct source *s)
{
    const char *kind;
    json_t *value;
    double overlap = 0.0;
    tan_page_section(p, "Single messages, predicted and measured", s->name);
    tan_page_tell(p, s->document,
                  "By the fitted lines one-way times are {models.fitted.mean_abs_error * 100:%.1f} "
                  "% off on average, {models.fitted.worst_abs_error * 100:%.1f} % at worst.");
    tan_page_tell(p, s->document,
                  "By LogGPO as published one-way times are {models.loggpo.mean_abs_error * "
                  "100:%.1f} % off on average, {models.loggpo.worst_abs_error * 100:%.1f} % at "
                  "worst.");
    json_object_foreach(json_object_get(s->document, "exchange_errors"), kind, value)
    {
        const double worst = tan_number_of(value, "worst_overlap_difference");
        overlap = isfinite(worst) ? fmax(overlap, worst) : overlap;
    }
    if (overlap > 0.0) {
        tan_page_answer(p, "Overlap ratios are at most %.2f off.", overlap);
    }
    tan_show_figures(p, s->document, message_figures);
}

static const struct tan_figure collective_figures[] = {
    {"algorithms", "Simulated time, by algorithm", "time, us", NULL, "x",
     "When the last rank finishes, the fastest algorithm first.",
     .names = {'y', "algorithms", "{pattern}"},
     .rows = {{TAN_POINTS, "", "algorithms", .value = {"finish_ns / 1000", "#"}}}},
    {.name = NULL}};

void tan_show_collective(struct page *p, const struct source *s)
{
    tan_page_section(p, "Algorithms of a collective", s->name);
    if (json_array_size(tan_array_of(s->document, "algorithms")) > 0) {
        tan_tell_fastest(p, s->document);
    }
    tan_page_tell(p, s->document,
                  "{algorithms.-1.pattern} is the slowest: {algorithms.-1.finish_ns / "
                  "algorithms.0.finish_ns:%.3g} times as long.");
    tan_show_figures(p, s->document, collective_figures);
}

static const char *simulated_as(const json_t *document)
{
    return json_object_get(document, "change") != NULL ? "simulated with the change" : "simulated";
}

/* The longer one of two times of a call, either of which may be unknown; 0: both. */
static double longest_of(const json_t *call, const char *a, const char *b)
{
    return fmax(0.0, fmax(tan_number_of(call, a), tan_number_of(call, b)));
}

/* Of calls that take more than next to nothing, which would only stretch the axis. */
static void add_calls(struct tan_chart *c, const json_t *document)
{
    enum { CALLS = 16 };
    const json_t *calls = tan_array_of(json_object_get(document, "program"), "calls");
    const bool both = json_object_get(json_array_get(calls, 0), "unchanged_us") != NULL;
    const char *const key[] = {both ? "unchanged_us" : "traced_us", "simulated_us"};
    const char *const title[] = {both ? "simulated without the change" : "as traced",
                                 simulated_as(document)};
    const double least = 1e-4; /* of the longest */
    double longest = 0.0;
    for (size_t i = 0; i < json_array_size(calls); i++) {
        longest = fmax(longest, longest_of(json_array_get(calls, i), key[0], key[1]));
    }
    for (int k = 0; k < 2; k++) {
        size_t at = 0;
        tan_chart_add(c, TAN_POINTS, title[k]);
        for (size_t i = 0; i < json_array_size(calls) && at < CALLS; i++) {
            const json_t *call = json_array_get(calls, i);
            const double us = tan_number_of(call, key[k]);
            if (longest_of(call, key[0], key[1]) < least * longest) {
                continue;
            }
            if (++at > c->y.names) {
                tan_chart_name(c, &c->y, tan_text_of(call, "name"));
            }
            if (us > 0.0) {
                tan_chart_point(c, us / 1e3, (double)at);
            }
        }
    }
}

static void add_models(struct tan_chart *c, const json_t *document)
{
    const json_t *models = tan_array_of(json_object_get(document, "program"), "models");
    double reference[2] = {NAN, NAN}; /* under fitted, under loggpo */
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *name = tan_text_of(model, "model");
        if (strcmp(name, "fitted") == 0 || strcmp(name, "loggpo") == 0) {
            reference[name[0] == 'l'] = tan_number_of(model, "simulated_us");
        }
    }
    const bool published = isnan(reference[0]);
    c->x.title = published ? "longer than under loggpo, %" : "longer than under fitted, %";
    tan_chart_add(c, TAN_POINTS, "");
    for (size_t i = 0; i < json_array_size(models) && reference[published] > 0.0; i++) {
        const json_t *model = json_array_get(models, i);
        tan_chart_name(c, &c->y, tan_text_of(model, "model"));
        tan_chart_point(c,
                        100.0 * (tan_number_of(model, "simulated_us") / reference[published] - 1.0),
                        (double)i + 1.0);
    }
}

#define BY_RANK(title, key, only_if)                                                               \
    {                                                                                              \
        TAN_POINTS, title, "program.ranks", .value = {"#", key " / 1000"}, .only = only_if         \
    }

static const struct tan_figure program_figures[] = {
    {"program", "Run time of the program, by rank", "rank", "ms", "",
     "From MPI_Init on, as it was traced and as it is simulated; the time in MPI is what other "
     "messages, or another network, can change.",
     .names = {'x', "program.ranks", "{# - 1}"},
     .rows = {BY_RANK("as traced", "traced_us", NULL),
              BY_RANK("simulated", "simulated_us", "!/change"),
              BY_RANK("simulated with the change", "simulated_us", "/change"),
              BY_RANK("in MPI, as traced", "mpi_us", NULL),
              BY_RANK("simulated without the change", "unchanged_us", NULL)},
     .most = 64},
    {"calls", "Time in MPI calls", "ms", NULL, "x",
     "Of all ranks together, waiting included. In the simulation, what a nonblocking call costs is "
     "part of the time after it.",
     .rows = {{.draw = add_calls}}},
    {.name = NULL}};

static const struct tan_figure model_figures[] = {
    {"models", "Run time under each model", NULL, NULL, "",
     "The simulated program, by model of its messages: no-overlap and independent show what "
     "overlap of messages and computation saves, and what it could save.",
     .rows = {{.draw = add_models}}},
    {.name = NULL}};

/* A traced program compared with its simulation. */
static void show_program(struct page *p, const json_t *document)
{
    const json_t *program = json_object_get(document, "program");
    const json_t *ranks = tan_array_of(program, "ranks");
    double traced = 0.0;
    double simulated = 0.0;
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        traced = fmax(traced, tan_number_of(json_array_get(ranks, i), "traced_us"));
        simulated = fmax(simulated, tan_number_of(json_array_get(ranks, i), "simulated_us"));
    }
    tan_page_answer(p,
                    "The longest rank of the traced program ran for %.4g ms when it was traced and "
                    "takes %.4g ms %s.",
                    traced / 1e3, simulated / 1e3, simulated_as(document));
    tan_show_figures(p, document, program_figures);
    tan_show_change(p, document);
    tan_show_figures(p, document, model_figures);
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
    if (last - first > equal * last) {
        tan_page_chart(p, &c);
    } else {
        tan_chart_clear(&c);
    }
    if (json_is_object(json_object_get(s->document, "program"))) {
        show_program(p, s->document);
    }
}
