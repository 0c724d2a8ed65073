/* simulation_figures.c - figures of simulations: algorithms, changes by --set, sensitivities,
 * traced programs SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "page/kinds.h"

#define DOUBTED "[{?/parameters.doubts.0} (not trustworthy: see the doubts)]."
#define CHANGE  "[{?change}With --set [*change.settings:[{?# - 1},]{:%.80s}], ]"

/* What is added is parts of the critical path, which add up to the whole. */
static void tell_change(struct page *p, const json_t *document)
{
    tan_page_tell(p, document,
                  CHANGE "\"{source:%.80s}\" takes {change.factor:factor} times as long: "
                         "{finish_ns:ns} instead of {change.unchanged_ns:ns}, both "
                         "simulated" DOUBTED);
    tan_page_tell(p, document,
                  "From the traced {change.traced_ns:ns} the simulation without the change differs "
                  "by {change.error * 100:%+.1f} %.");
    tan_page_tell(p, document,
                  "{?change.added}Of the {finish_ns - change.unchanged_ns:+ns}[*change.added:"
                  "{?4 - #}, {added_ns:+ns} are in {name:%.60s}][{?change.added - 3}, "
                  "{finish_ns - change.unchanged_ns - change.added.0.added_ns - "
                  "change.added.1.added_ns - change.added.2.added_ns:+ns} elsewhere], on the "
                  "critical path.");
}

/* Of --set the simulations with and without it are compared. */
static const struct tan_listing models = {
    "Simulated time, by model of the messages",
    "program.models",
    12,
    {
        {"model", "{model:%.20s}"},
        {"without, ms", "{unchanged_us / 1000:%.4g}"},
        {"error, %", "{unchanged_us * 1000 / /change.traced_ns - 1 * 100:%+.1f}"},
        {"simulated, ms", "{simulated_us / 1000:%.4g}"},
        {"times as long", "{simulated_us / unchanged_us:factor}"},
        {"from traced, ms", "{from_traced_us / 1000:%.4g}"},
    },
};

/* What is added to a cost; of G a time per byte. */
#define ADDED(path) "[{?cost=G}{" path ":%.4g} ns per byte][{?!cost=G}{" path " / 1000:us}]"
#define THE_RUN     "[{?beyond_set}Beyond the change by --set, t][{?!beyond_set}T]he run is "

static void tell_response(struct page *p, const struct tan_place *at)
{
    char text[400];
    if (!tan_page_tell_at(p, at,
                          THE_RUN "first {tolerances.0.share * 100:%.3g} % longer when {cost} "
                                  "grows by [{?tolerances.0.most_ns - tolerances.0.least_ns}about "
                                  "]" ADDED("tolerances.0.added_ns") DOUBTED)) {
        tan_page_tell_at(p, at,
                         THE_RUN "less than 1 % longer when {cost} grows by up to " ADDED("to_ns")
                             DOUBTED);
    }
    if (tan_place_text(at,
                       "{?1 - exact_share}The finish time as a function of {cost} is exact in "
                       "{exact_share * 100:%.3g} % of the range; elsewhere it is lines between "
                       "simulated times, [off by at most {off_ns / 1000:us} if more never makes "
                       "the run shorter][{?!off_ns + 1}without a bound, since more can make the "
                       "run shorter].",
                       text, sizeof text)) {
        tan_page_doubt(p, NULL, text);
    }
}

/* The ends of the pieces of the function of a cost, sorted; of G per byte. */
#define FUNCTION(unit, cost)                                                                       \
    {TAN_LINE, "finish", "pieces", .value = {"to_ns" unit, "finish_to_ns / 1000"}, .only = cost},  \
        {.list = "pieces", .value = {"from_ns" unit, "finish_from_ns / 1000"}, .only = cost},      \
    {                                                                                              \
        TAN_POINTS, "1, 2 and 5 % longer", "tolerances",                                           \
            .value = {"added_ns" unit, "share + 1 * /pieces.0.finish_from_ns / 1000"},             \
            .only = cost                                                                           \
    }

static const struct tan_figure response_figures[] = {
    {"sensitivity-{cost}", "Finish time by what is added to {cost}[{?beyond_set}, beyond --set]",
     "added to {cost}[{?beyond_set}, beyond --set], [{?cost=G}ns per byte][{?!cost=G}us]",
     "finish, us", "",
     "The slope is how often the cost is on the critical path. It grows where another path becomes "
     "the longest; the time falls or jumps where an operation overtakes another one.",
     .rows = {FUNCTION(" / 1000", "!/cost=G"), FUNCTION("", "/cost=G")}},
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

static void show_sensitivity(struct page *p, const json_t *document)
{
    const json_t *responses = tan_array_of(document, "sensitivity");
    for (size_t i = 0; i < json_array_size(responses); i++) {
        const json_t *response = json_array_get(responses, i);
        const struct tan_place at = {.document = document, .entry = response};
        const char *cost = tan_text_of(response, "cost");
        if (strlen(cost) == 1 && strchr("LoG", cost[0]) != NULL) {
            tell_response(p, &at);
            tan_show_figures(p, response, response_figures);
        }
    }
}

static const struct tan_figure collective_figures[] = {
    {"algorithms", "Simulated time, by algorithm", "time, us", NULL, "x",
     "When the last rank finishes, the fastest algorithm first.",
     .names = {'y', "algorithms", "{pattern}"},
     .rows = {{TAN_POINTS, "", "algorithms", .value = {"finish_ns / 1000", "#"}}}},
    {.name = NULL}};

void tan_show_collective(struct page *p, const json_t *document)
{
    tan_page_tell(p, document,
                  CHANGE "{collective:%.80s}: {algorithms.0.pattern:%.80s} is the fastest of these "
                         "algorithms, {algorithms.0.finish_ns:ns} in the simulation" DOUBTED);
    tan_page_tell(p, document,
                  "{algorithms.-1.pattern} is the slowest: {algorithms.-1.finish_ns / "
                  "algorithms.0.finish_ns:%.3g} times as long.");
    tan_show_figures(p, document, collective_figures);
}

#define BY_RANK(title, key, only_if)                                                               \
    {                                                                                              \
        TAN_POINTS, title, "program.ranks", .value = {"# - 1", key " / 1000"}, .only = only_if     \
    }
#define BY_CALL(title, key, only_if)                                                               \
    {                                                                                              \
        TAN_POINTS, title, "program.calls", .value = {key " / 1000", "#"}, .only = only_if         \
    }

static const struct tan_figure figures[] = {
    {"calls", "Time in MPI calls", "ms", NULL, "x",
     "Of all ranks together, waiting included. In the simulation, what a nonblocking call costs is "
     "part of the time after it.",
     .names = {'y', "program.calls", "{name}"},
     .rows = {BY_CALL("as traced", "traced_us", "!/program.calls.0.unchanged_us + 1"),
              BY_CALL("simulated without the change", "unchanged_us", NULL),
              BY_CALL("simulated", "simulated_us", "!/change"),
              BY_CALL("simulated with the change", "simulated_us", "/change")},
     .most = 16},
    {"program", "Run time of the program, by rank", "rank", "ms", "",
     "From MPI_Init on, as it was traced and as it is simulated; the time in MPI is what other "
     "messages, or another network, can change.",
     .rows = {BY_RANK("as traced", "traced_us", NULL),
              BY_RANK("simulated", "simulated_us", "!/change"),
              BY_RANK("simulated with the change", "simulated_us", "/change"),
              BY_RANK("in MPI, as traced", "mpi_us", NULL),
              BY_RANK("simulated without the change", "unchanged_us", NULL)},
     .most = 1000},
    {"finish", "Ends of the ranks", "rank", "time, us", "",
     "When each rank finished, in simulated time. The rank that is highest ends the run; ranks far "
     "below it had nothing more to do.",
     .rows = {{TAN_POINTS, "", "host_finish_ns", .value = {"# - 1", " / 1000"},
               .only = "!/program"}},
     .most = 2000},
    {.name = NULL}};

/* The latest and the earliest of the ranks' ends. */
static void tell_ends(struct page *p, struct tan_place last)
{
    struct tan_place first = last;
    if (tan_least_of(&last, "host_finish_ns", "0 - ", NULL) &&
        tan_least_of(&first, "host_finish_ns", "", NULL)) {
        last.each = first.entry;
        tan_page_tell_at(p, &last,
                         "{?!/change}The simulation of \"{/source:%.80s}\" ends after "
                         "{:ns}" DOUBTED);
        tan_page_tell_at(p, &last,
                         "{? - .}Rank {# - 1} finishes last, and the first one after {.:ns}.");
    }
}

static void tell_program(struct page *p, struct tan_place traced)
{
    struct tan_place simulated = traced;
    if (tan_least_of(&traced, "program.ranks", "0 - traced_us", NULL) &&
        tan_least_of(&simulated, "program.ranks", "0 - simulated_us", NULL)) {
        traced.each = simulated.entry;
        tan_page_tell_at(p, &traced,
                         "The longest rank of the traced program ran for {traced_us / 1000:%.4g} "
                         "ms when it was traced and takes {.simulated_us / 1000:%.4g} ms "
                         "simulated[{?/change} with the change].");
    }
}

void tan_show_simulation(struct page *p, const json_t *document)
{
    const struct tan_place at = {.document = document, .entry = document};
    tell_change(p, document);
    tell_ends(p, at);
    tell_program(p, at);
    show_sensitivity(p, document);
    tan_show_listing(p, &at, &models);
    tan_show_figures(p, document, figures);
    tan_page_part(p, PART_MORE);
    tan_show_listing(p, &at, &path_shares[0]);
    tan_show_listing(p, &at, &path_shares[1]);
}
