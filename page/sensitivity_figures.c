/* sensitivity_figures.c - figures of the finish time of a simulation as a function of L, o or G
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/kinds.h"
#include "page/rows.h"

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

void tan_show_path_shares(struct page *p, const struct source *s)
{
    tan_show_listing(p, s->document, &path_shares[0]);
    tan_show_listing(p, s->document, &path_shares[1]);
}

void tan_show_sensitivity(struct page *p, const struct source *s)
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
