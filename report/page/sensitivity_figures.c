/* sensitivity_figures.c - figures of the finish time of a simulation as a function of L, o or G
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page/kinds.h"
#include "report/page/rows.h"

enum { ADDED_TEXT = 48 };

/* What is added to a cost; of G a time per byte. */
static const char *added_text(const char *cost, double ns, char text[ADDED_TEXT])
{
    char time[TAN_PAGE_TIME];
    if (strcmp(cost, "G") == 0) {
        snprintf(text, ADDED_TEXT, "%.4g ns per byte", ns);
    } else {
        snprintf(text, ADDED_TEXT, "%s", tan_page_time(ns / 1e3, time));
    }
    return text;
}

static void tell_tolerance(struct page *p, const json_t *response, const char *cost, bool beyond,
                           bool doubted)
{
    const json_t *first = json_array_get(tan_array_of(response, "tolerances"), 0);
    const bool exact = tan_number_of(first, "least_ns") >= tan_number_of(first, "most_ns");
    const char *begin = beyond ? "Beyond the change by --set, t" : "T";
    const char *note = tan_page_untrusted(doubted);
    char text[ADDED_TEXT];
    if (first != NULL) {
        tan_page_answer(p, "%she run is first %.3g %% longer when %s grows by %s%s%s.", begin,
                        100.0 * tan_number_of(first, "share"), cost, exact ? "" : "about ",
                        added_text(cost, tan_number_of(first, "added_ns"), text), note);
    } else {
        tan_page_answer(p, "%she run is less than 1 %% longer when %s grows by up to %s%s.", begin,
                        cost, added_text(cost, tan_number_of(response, "to_ns"), text), note);
    }
}

static void doubt_exactness(struct page *p, const struct source *s, const json_t *response,
                            const char *cost)
{
    const double exact = tan_number_of(response, "exact_share");
    const double off = tan_number_of(response, "off_ns");
    char text[300], time[TAN_PAGE_TIME],
        bound[120] = "without a bound, since more can make the "
                     "run shorter";
    if (!(exact < 1.0)) {
        return;
    }
    if (isfinite(off)) {
        snprintf(bound, sizeof bound, "off by at most %s if more never makes the run shorter",
                 tan_page_time(off / 1e3, time));
    }
    snprintf(
        text, sizeof text,
        "The finish time as a function of %s is exact in %.3g %% of the range; elsewhere it is "
        "lines between simulated times, %s.",
        cost, 100.0 * exact, bound);
    tan_page_doubt(p, s->name, text);
}

/* Add the pieces: lines where they are exact, dashes elsewhere. */
static void add_pieces(struct tan_chart *c, const json_t *pieces, double unit)
{
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

/* Points where the run is 1, 2 and 5 % longer than at first. */
static void add_tolerances(struct tan_chart *c, const json_t *response, double start, double unit)
{
    const json_t *tolerances = tan_array_of(response, "tolerances");
    if (json_array_size(tolerances) == 0) {
        return;
    }
    tan_chart_add(c, TAN_POINTS, "1, 2 and 5 % longer");
    for (size_t i = 0; i < json_array_size(tolerances); i++) {
        const json_t *t = json_array_get(tolerances, i);
        tan_chart_point(c, tan_number_of(t, "added_ns") / unit,
                        start * (1.0 + tan_number_of(t, "share")) / 1e3);
    }
}

static void show_response(struct page *p, const struct source *s, const json_t *response)
{
    const char *cost = tan_text_of(response, "cost");
    const json_t *pieces = tan_array_of(response, "pieces");
    const bool per_byte = strcmp(cost, "G") == 0;
    const bool beyond = json_is_true(json_object_get(response, "beyond_set"));
    const double unit = per_byte ? 1.0 : 1e3;
    struct tan_chart c;
    char name[24], title[80], axis[60];
    if (strlen(cost) != 1 || strchr("LoG", cost[0]) == NULL) {
        return;
    }
    snprintf(name, sizeof name, "sensitivity-%s", cost);
    snprintf(title, sizeof title, "Finish time by what is added to %s%s", cost,
             beyond ? ", beyond --set" : "");
    snprintf(axis, sizeof axis, "added to %s%s, %s", cost, beyond ? ", beyond --set" : "",
             per_byte ? "ns per byte" : "us");
    tell_tolerance(p, response, cost, beyond, tan_simulation_doubted(s->document));
    doubt_exactness(p, s, response, cost);
    tan_chart_init(
        &c, name, title,
        "The slope is how often the cost is on the critical path. It grows where another "
        "path becomes the longest; the time falls or jumps where an operation overtakes "
        "another one.");
    c.x.title = axis;
    c.y.title = "finish, us";
    add_pieces(&c, pieces, unit);
    add_tolerances(&c, response, tan_number_of(json_array_get(pieces, 0), "finish_from_ns"), unit);
    tan_page_chart(p, &c);
}

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
        show_response(p, s, json_array_get(responses, i));
    }
}
