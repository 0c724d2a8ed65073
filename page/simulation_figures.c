/* simulation_figures.c - figures and answers of simulations: algorithms, changes by --set,
 * sensitivities, traced programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/kinds.h"
#include "page/rows.h"

static bool simulation_doubted(const json_t *document)
{
    const json_t *parameters = json_object_get(document, "parameters");
    return json_array_size(tan_array_of(parameters, "doubts")) > 0;
}

#define CHANGED "ith --set [*change.settings:[{?# - 1},]{:%.80s}]"
#define OTHER_MODELS                                                                               \
    "By the other models it takes {change.least_factor:factor} to {change.most_factor:factor} "    \
    "times as long. "

/* What is added is parts of the critical path, which add up to the whole. */
static void tell_change(struct page *p, const json_t *document)
{
    if (!tan_page_tell(
            p, document,
            "[{?parameters.doubts}Not trustworthy (see the doubts): "
            "w][{?!parameters.doubts}W]" CHANGED
            ", \"{source:%.80s}\" takes {change.factor:factor} times as long: {finish_ns:ns} "
            "instead of {change.unchanged_ns:ns}, both simulated.")) {
        return;
    }
    if (!tan_page_tell(p, document,
                       "[" OTHER_MODELS
                       "]From the traced {change.traced_ns:ns} the simulation without the change "
                       "differs by {change.error * 100:%+.1f} %; added to the traced time, the "
                       "same change would make {change.factor_from_traced:factor} times, but that "
                       "time includes what is not simulated.")) {
        tan_page_tell(p, document, OTHER_MODELS);
    }
    tan_page_tell(p, document,
                  "{?change.added}Of the {finish_ns - change.unchanged_ns:+ns}[*change.added:"
                  "{?4 - #}, {added_ns:+ns} are in {name:%.60s}][{?change.added - 3}, "
                  "{finish_ns - change.unchanged_ns - change.added.0.added_ns - "
                  "change.added.1.added_ns - change.added.2.added_ns:+ns} elsewhere], on the "
                  "critical path.");
}

static void tell_fastest(struct page *p, const json_t *document)
{
    tan_page_tell(p, document,
                  "[{?parameters.doubts}Not trustworthy (see the doubts): ]"
                  "[{?change}[{?parameters.doubts}w][{?!parameters.doubts}W]" CHANGED
                  ", ]{collective:%.80s}: "
                  "{algorithms.0.pattern:%.80s} is the fastest of these algorithms, "
                  "{algorithms.0.finish_ns:ns} in the simulation.");
}

static const struct tan_listing changes = {
    "Effect of the change, by model",
    "program.models",
    12,
    {
        {"model", "{model:%.20s}"},
        {"without, ms", "{unchanged_us / 1000:%.4g}"},
        {"error, %", "{unchanged_us * 1000 / /change.traced_ns - 1 * 100:%+.1f}"},
        {"with, ms", "{simulated_us / 1000:%.4g}"},
        {"times as long", "{simulated_us / unchanged_us:factor}"},
        {"from traced, ms", "{from_traced_us / 1000:%.4g}"},
    },
};

static void show_change(struct page *p, const json_t *document)
{
    const json_t *models = tan_array_of(json_object_get(document, "program"), "models");
    const json_t *first = json_array_get(models, 0);
    if (json_object_get(first, "unchanged_us") != NULL) {
        tan_show_listing(p, document, &changes);
    }
}

/* What is added to a cost; of G a time per byte. */
#define ADDED(path) "[{?cost=G}{" path ":%.4g} ns per byte][{?!cost=G}{" path " / 1000:us}]"

#define THE_RUN "[{?beyond_set}Beyond the change by --set, t][{?!beyond_set}T]he run is "
#define NOTE    "[{?/parameters.doubts} (not trustworthy: see the doubts)]."

static void tell_response(struct page *p, const struct source *s, const json_t *response)
{
    const struct tan_place at = {.document = s->document, .entry = response};
    char text[400];
    if (!tan_page_tell_at(p, &at,
                          THE_RUN "first {tolerances.0.share * 100:%.3g} % longer when {cost} "
                                  "grows by [{?tolerances.0.most_ns - tolerances.0.least_ns}about "
                                  "]" ADDED("tolerances.0.added_ns") NOTE)) {
        tan_page_tell_at(
            p, &at, THE_RUN "less than 1 % longer when {cost} grows by up to " ADDED("to_ns") NOTE);
    }
    if (tan_place_text(&at,
                       "{?1 - exact_share}The finish time as a function of {cost} is exact in "
                       "{exact_share * 100:%.3g} % of the range; elsewhere it is lines between "
                       "simulated times, [off by at most {off_ns / 1000:us} if more never makes "
                       "the run shorter][{?!off_ns + 1}without a bound, since more can make the "
                       "run shorter].",
                       text, sizeof text)) {
        tan_page_doubt(p, s->name, text);
    }
}

/* Add the pieces: lines where they are exact, dashes elsewhere. */
static void add_pieces(struct tan_chart *c, const json_t *response)
{
    const json_t *pieces = tan_array_of(response, "pieces");
    const double unit = strcmp(tan_text_of(response, "cost"), "G") == 0 ? 1.0 : 1e3;
    bool titled[2] = {false, false};
    for (size_t i = 0; i < json_array_size(pieces); i++) {
        const json_t *piece = json_array_get(pieces, i);
        const bool exact = json_is_true(json_object_get(piece, "exact"));
        const bool begins =
            i == 0 ||
            exact != json_is_true(json_object_get(json_array_get(pieces, i - 1), "exact"));
        if (begins) {
            const char *title = titled[exact] ? "" : exact ? "exact" : "between simulated times";
            struct tan_series *series = tan_chart_add(c, exact ? TAN_LINE : TAN_DASHES, title);
            if (series != NULL) {
                series->style = 1;
            }
            titled[exact] = true;
            tan_chart_point(c, tan_number_of(piece, "from_ns") / unit,
                            tan_number_of(piece, "finish_from_ns") / 1e3);
        }
        tan_chart_point(c, tan_number_of(piece, "to_ns") / unit,
                        tan_number_of(piece, "finish_to_ns") / 1e3);
    }
}

#define TOLERANCES(added, only_if)                                                                 \
    {                                                                                              \
        TAN_POINTS, "1, 2 and 5 % longer", "tolerances",                                           \
            .value = {added, "share + 1 * /pieces.0.finish_from_ns / 1000"}, .only = only_if       \
    }

static const struct tan_figure response_figures[] = {
    {"sensitivity-{cost}", "Finish time by what is added to {cost}[{?beyond_set}, beyond --set]",
     "added to {cost}[{?beyond_set}, beyond --set], [{?cost=G}ns per byte][{?!cost=G}us]",
     "finish, us", "",
     "The slope is how often the cost is on the critical path. It grows where another path becomes "
     "the longest; the time falls or jumps where an operation overtakes another one.",
     .rows = {{.draw = add_pieces},
              TOLERANCES("added_ns / 1000", "!/cost=G"),
              TOLERANCES("added_ns", "/cost=G")}},
    {.name = NULL}};

static const struct tan_listing path_shares[] = {
    {"Critical path by call",
     "path_shares.calls",
     8,
     {{"on the critical path", "{name}"},
      {"time", "{time_ns / 1000:us}"},
      {"share", "{share * 100:%.1f} %"}}},
    {"Critical path by pair of ranks",
     "path_shares.pairs",
     8,
     {{"ranks", "{from:%.0f} to {to:%.0f}"},
      {"messages", "{messages:%.0f}"},
      {"bytes", "{bytes:%.0f}"},
      {"latencies", "{latency_share * 100:%.1f} %"},
      {"time", "{time_ns / 1000:us}"},
      {"share", "{share * 100:%.1f} %"}}},
};

static void show_path_shares(struct page *p, const struct source *s)
{
    tan_show_listing(p, s->document, &path_shares[0]);
    tan_show_listing(p, s->document, &path_shares[1]);
}

static void show_sensitivity(struct page *p, const struct source *s)
{
    const json_t *responses = tan_array_of(s->document, "sensitivity");
    for (size_t i = 0; i < json_array_size(responses); i++) {
        const json_t *response = json_array_get(responses, i);
        const char *cost = tan_text_of(response, "cost");
        if (strlen(cost) == 1 && strchr("LoG", cost[0]) != NULL) {
            tell_response(p, s, response);
            tan_show_figures(p, response, response_figures);
        }
    }
}

static const struct tan_figure collective_figures[] = {
    {"algorithms", "Simulated time, by algorithm", "time, us", NULL, "x",
     "When the last rank finishes, the fastest algorithm first.",
     .names = {'y', "algorithms", "{pattern}", 0},
     .rows = {{TAN_POINTS, "", "algorithms", .value = {"finish_ns / 1000", "#"}}}},
    {.name = NULL}};

void tan_show_collective(struct page *p, const struct source *s)
{
    tan_page_section(p, "Algorithms of a collective", s->name);
    if (json_array_size(tan_array_of(s->document, "algorithms")) > 0) {
        tell_fastest(p, s->document);
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

#define BY_RANK(title, key, only_if)                                                               \
    {                                                                                              \
        TAN_POINTS, title, "program.ranks", .value = {"#", key " / 1000"}, .only = only_if         \
    }

/* Of --set the simulations with and without it are compared. */
#define BY_CALL(title, key, only_if)                                                               \
    {                                                                                              \
        TAN_POINTS, title, "program.calls", .value = {key " / 1000", "#"}, .only = only_if         \
    }

static const struct tan_figure program_figures[] = {
    {"program", "Run time of the program, by rank", "rank", "ms", "",
     "From MPI_Init on, as it was traced and as it is simulated; the time in MPI is what other "
     "messages, or another network, can change.",
     .names = {'x', "program.ranks", "{# - 1}", 0},
     .rows = {BY_RANK("as traced", "traced_us", NULL),
              BY_RANK("simulated", "simulated_us", "!/change"),
              BY_RANK("simulated with the change", "simulated_us", "/change"),
              BY_RANK("in MPI, as traced", "mpi_us", NULL),
              BY_RANK("simulated without the change", "unchanged_us", NULL)},
     .most = 64},
    {"calls", "Time in MPI calls", "ms", NULL, "x",
     "Of all ranks together, waiting included. In the simulation, what a nonblocking call costs is "
     "part of the time after it.",
     .names = {'y', "program.calls", "{name}", 0},
     .rows = {BY_CALL("as traced", "traced_us", "!/program.calls.0.unchanged_us + 1"),
              BY_CALL("simulated without the change", "unchanged_us", NULL),
              BY_CALL("simulated", "simulated_us", "!/change"),
              BY_CALL("simulated with the change", "simulated_us", "/change")},
     .most = 16},
    {.name = NULL}};

/* `each` is the model that others are compared with. */
static const struct tan_figure model_figures[] = {
    {"models", "Run time under each model", "longer than under {.model}, %", NULL, "",
     "The simulated program, by model of its messages: no-overlap and independent show what "
     "overlap of messages and computation saves, and what it could save.",
     .rows = {{TAN_POINTS, "", "program.models",
               .value = {"simulated_us / .simulated_us - 1 * 100", "$"}, .name = "{model}"}}},
    {.name = NULL}};

static void show_models(struct page *p, const json_t *document)
{
    const json_t *models = tan_array_of(json_object_get(document, "program"), "models");
    struct tan_place at = {.document = document, .entry = document};
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *name = tan_text_of(model, "model");
        if (strcmp(name, "fitted") == 0 || (at.each == NULL && strcmp(name, "loggpo") == 0)) {
            at.each = model;
        }
    }
    tan_show_figures_at(p, &at, model_figures);
}

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
    show_change(p, document);
    show_models(p, document);
}

#define FINISH(rank)                                                                               \
    "finish", "Ends of the ranks", "rank", "time, us", "",                                         \
        "When each rank finished, in simulated time. The rank that is highest ends the run; "      \
        "ranks far below it had nothing more to do.",                                              \
        .rows = {{TAN_POINTS, "", "host_finish_ns", .value = {rank, " / 1000"}}}

/* Of few ranks each is named on the axis. */
enum { FEW_RANKS = 16 };
static const struct tan_figure few_ranks[] = {
    {FINISH("#"), .names = {'x', "host_finish_ns", "{# - 1}", 0}}, {.name = NULL}};
static const struct tan_figure many_ranks[] = {{FINISH("# - 1"), .most = 2000}, {.name = NULL}};

void tan_show_simulation(struct page *p, const struct source *s)
{
    const json_t *finish = tan_array_of(s->document, "host_finish_ns");
    const size_t n = json_array_size(finish);
    const double equal = 0.01; /* ends closer than this share need no chart */
    double last = 0.0;
    double first = INFINITY;
    size_t latest = 0;
    tan_page_section(p, "Simulation", s->name);
    for (size_t i = 0; i < n; i++) {
        const double end = tan_number_at(finish, i) / 1e3;
        latest = end >= last ? i : latest;
        last = fmax(last, end);
        first = fmin(first, end);
    }
    tell_change(p, s->document);
    tan_page_answer(p, "The simulation of \"%.80s\" ends after %.6g us%s.",
                    tan_text_of(s->document, "source"), last,
                    tan_page_untrusted(simulation_doubted(s->document)));
    show_sensitivity(p, s);
    show_path_shares(p, s);
    if (n > 1) {
        tan_page_answer(p, "Rank %zu of %zu finishes last, and the first one after %.6g us.",
                        latest, n, first);
    }
    if (last - first > equal * last) {
        tan_show_figures(p, s->document, n <= FEW_RANKS ? few_ranks : many_ranks);
    }
    if (json_is_object(json_object_get(s->document, "program"))) {
        show_program(p, s->document);
    }
}
