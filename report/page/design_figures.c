/* design_figures.c - figures of recommendations: fanouts, numbers of leaves, levels, certainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/page/kinds.h"
#include "report/page/rows.h"

/* LISTED: characters of a configuration that is shown; CURVE: points of a curve at most; SURENESS:
 * characters of sentences on how sure an answer is. */
enum { LEVELS = TAN_DRAWN_LEVELS, LISTED = 4000, CURVE = 1000, SURENESS = 2000 };

/* Data for figures. NULL if the file has none, with a remark on what is `lacking`. */
static const json_t *figures_of(struct page *p, const json_t *document, const char *lacking)
{
    const json_t *figures = json_object_get(document, "figures");
    if (figures == NULL) {
        tan_page_remark(
            p, "%s: this file has no \"figures\", which earlier versions of tan-design left out.",
            lacking);
    }
    return figures;
}

/* Element `i` as an index below `n`; -1 if it is none. */
static int32_t index_at(const json_t *array, size_t i, int32_t n)
{
    const double value = tan_number_at(array, i);
    return value >= 0.0 && value < n ? (int32_t)value : -1;
}

/* Draw a tree process by process; false if it has too many processes, or none. `critical`, a list
 * of processes, and `hosts`, one for each process, may be NULL. `what` begins the caption. */
static bool draw_tree(struct page *p, const json_t *parents, const json_t *critical,
                      const json_t *hosts, const char *name, const char *title, const char *what)
{
    const size_t n = json_array_size(parents);
    int32_t parent[TAN_DRAWN_NODES];
    int32_t host[TAN_DRAWN_NODES];
    bool bold[TAN_DRAWN_NODES] = {false};
    const bool placed = json_array_size(hosts) == n;
    char caption[320];
    if (n == 0 || n > TAN_DRAWN_NODES) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t of_host = index_at(hosts, i, INT32_MAX);
        parent[i] = index_at(parents, i, (int32_t)n);
        host[i] = of_host < 0 ? 0 : of_host;
    }
    for (size_t i = 0; i < json_array_size(critical) && i < n; i++) {
        const int32_t process = index_at(critical, i, (int32_t)n);
        if (process >= 0) {
            bold[process] = true;
        }
    }
    const struct tan_tree_marks marks = {.critical = critical != NULL ? bold : NULL,
                                         .host = placed ? host : NULL};
    snprintf(caption, sizeof caption, "%s, the root above.%s%s", what,
             critical != NULL ? " Bold: a path that a wave has to wait for." : "",
             placed
                 ? " Each number is a host, that of the processes around it; colours recur after 7 "
                   "hosts, colours with shapes after 21. The table has all hosts."
                 : "");
    tan_page_tree(p, name, title, caption, parent, (int32_t)n, &marks);
    return true;
}

/* Mark rules with their numbers, since names would overlap; rules with the same tree share a mark.
 */
static void number_rules(struct tan_chart *c, const json_t *design)
{
    const json_t *rules = tan_array_of(design, "baselines");
    const size_t n = json_array_size(rules);
    for (size_t i = 0; i < n; i++) {
        const json_t *rule = json_array_get(rules, i);
        const double x = tan_number_of(rule, "max_fanout");
        const double y = tan_number_of(rule, "wave_us");
        char numbers[64] = "";
        bool first = true;
        for (size_t k = 0; k < n && strlen(numbers) + 8 < sizeof numbers; k++) {
            const json_t *other = json_array_get(rules, k);
            if (tan_number_of(other, "max_fanout") == x && tan_number_of(other, "wave_us") == y) {
                first = first && k >= i;
                const size_t length = strlen(numbers);
                snprintf(numbers + length, sizeof numbers - length, "%s%zu", length > 0 ? ", " : "",
                         k + 1);
            }
        }
        if (first) {
            tan_chart_note(c, x, y, numbers);
        }
    }
}

/* Range of fanouts and times of the trees that tie with the best one. */
static void add_ties(struct tan_chart *c, const json_t *design)
{
    const json_t *candidates = tan_array_of(design, "candidates");
    double from = INFINITY;
    double to = 0.0;
    double low = INFINITY;
    double high = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(candidates); i++) {
        const json_t *tree = json_array_get(candidates, i);
        const double x = tan_number_of(tree, "max_fanout");
        const double y = tan_number_of(tree, "wave_us");
        if (json_is_true(json_object_get(tree, "tied")) && isfinite(x) && isfinite(y)) {
            from = fmin(from, x);
            to = fmax(to, x);
            low = fmin(low, y);
            high = fmax(high, y);
            n++;
        }
    }
    if (n > 1) {
        tan_chart_add(c, TAN_BAND, "ties");
        tan_chart_row(c, (const double[TAN_CHART_COLUMNS]){from, low, high});
        tan_chart_row(c, (const double[TAN_CHART_COLUMNS]){to, low, high});
    }
}

/* The caption names the rules by their numbers. */
static const struct tan_figure fanout_figures[] = {
    {"fanout", "Wave time, by largest fanout", "children of a process, at most", "wave, us", "xy",
     "The recommended tree, trees whose processes have at most this many children, and what rules "
     "of thumb and the defaults of systems build:[*baselines:[{?# - 1},] {#} {name:%.40s}].",
     .rows = {{TAN_STEPS, "at most this many children, spread evenly",
               "figures.by_fanout.max_fanout", .value = {"", "/figures.by_fanout.wave_us"}},
              {.draw = add_ties},
              {TAN_POINTS, "recommended", "best", .value = {"max_fanout", "wave_us"}},
              /* but for the first one, which is recommended */
              {TAN_POINTS, "ties with it", "candidates", .value = {"max_fanout", "wave_us"},
               .only = "tied * # - 1"},
              {TAN_POINTS, "rules of thumb", "baselines", .value = {"max_fanout", "wave_us"}},
              {.draw = number_rules}}},
    {.name = NULL}};

/* Mark the best tree for `x` leaves, if the curve has that point. */
static void note_best(struct tan_chart *c, const json_t *curve, double x, const char *before,
                      const char *after)
{
    const json_t *leaves = tan_array_of(curve, "leaves");
    char text[48];
    snprintf(text, sizeof text, "%s%.0f%s", before, x, after);
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        if (tan_number_at(leaves, i) == x) {
            tan_chart_note(c, x, tan_number_at(tan_array_of(curve, "best_us"), i), text);
        }
    }
}

static void note_leaves(struct tan_chart *c, const json_t *design)
{
    const json_t *curve = json_object_get(json_object_get(design, "figures"), "by_leaves");
    const json_t *rules = tan_array_of(curve, "rules");
    note_best(c, curve, tan_number_of(design, "flat_until"), "flat up to ", "");
    note_best(c, curve, tan_number_of(design, "leaves"), "", " leaves");
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *from = json_object_get(json_array_get(rules, i), "beats_flat");
        char text[24];
        snprintf(text, sizeof text, "%.0f", tan_number_of(from, "leaves"));
        tan_chart_note(c, tan_number_of(from, "leaves"), tan_number_of(from, "flat_us"), text);
    }
}

/* The values of a parameter between which the tree stays the best, NULL if unknown. */
static const json_t *range_of(const json_t *design, const char *key)
{
    const json_t *rows = tan_array_of(design, "sensitivity");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(tan_text_of(row, "parameter"), key) == 0) {
            return tan_array_of(row, "stays_best_us");
        }
    }
    return tan_array_of(json_object_get(design, "stays_fastest"), key);
}

/* Range within which each parameter leaves the tree the best, relative to its value. */
static void add_stays(struct tan_chart *c, const json_t *design)
{
    enum { MOST = 10 };
    const json_t *parameters = tan_array_of(json_object_get(design, "figures"), "by_parameter");
    tan_chart_add(c, TAN_SPAN, "stays the fastest");
    for (size_t i = 0; i < json_array_size(parameters); i++) {
        const json_t *parameter = json_array_get(parameters, i);
        const char *key = tan_text_of(parameter, "parameter"); /* "a_us" */
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)strlen(key) - (int)strlen("_us"), key);
        const json_t *range = range_of(design, key);
        const double value = tan_number_of(parameter, "value_us");
        double low = tan_number_at(range, 0) / value;
        double high = tan_number_at(range, 1) / value;
        if (range == NULL || !(value > 0.0)) {
            continue;
        }
        low = isfinite(low) && low > 1.0 / MOST ? low : 1.0 / MOST;
        high = isfinite(high) && high < MOST ? high : MOST;
        tan_chart_row(c,
                      (const double[TAN_CHART_COLUMNS]){tan_chart_name(c, &c->y, name), low, high});
    }
}

/* Effect of 10 % more or less of each parameter on the recommended tree's wave, largest first. */
static void add_changes(struct tan_chart *c, const json_t *design)
{
    static const struct {
        const char *key, *name;
    } rows[] = {{"L_us", "L, latency"}, {"a_us", "a, a message"},     {"o_s_us", "o_s, sending"},
                {"b_us", "b, a child"}, {"o_r_us", "o_r, receiving"}, {"c_us", "c, crowding"}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const json_t *parameters = tan_array_of(json_object_get(design, "figures"), "by_parameter");
    double change[ROWS];
    for (size_t k = 0; k < ROWS; k++) {
        change[k] = -1.0;
        for (size_t i = 0; i < json_array_size(parameters); i++) {
            const json_t *parameter = json_array_get(parameters, i);
            if (strcmp(tan_text_of(parameter, "parameter"), rows[k].key) == 0) {
                change[k] = 100.0 * tan_number_of(parameter, "tenth_more");
            }
        }
    }
    tan_chart_add(c, TAN_SPAN, "a tenth more or less");
    for (;;) {
        size_t longest = 0;
        for (size_t k = 1; k < ROWS; k++) {
            longest = change[k] > change[longest] ? k : longest;
        }
        if (!(change[longest] >= 0.0)) {
            break;
        }
        const double place = tan_chart_name(c, &c->y, rows[longest].name);
        tan_chart_row(c,
                      (const double[TAN_CHART_COLUMNS]){place, -change[longest], change[longest]});
        change[longest] = -1.0;
    }
}

#define LEVEL(title, time)                                                                         \
    {                                                                                              \
        TAN_STACK, title, "best.levels", .value = {"#", time}, .only = time                        \
    }

static const struct tan_figure levels_figure[] = {
    {"levels", "What a wave is made of, level by level", "level and its fanout", "us", "",
     "Time on the way, overhead and filter of each level from the root, added up. A tree is "
     "balanced where none is much larger than the others.",
     .names = {'x', "best.levels", "{#}: {fanout:%.0f}"},
     /* the file's overhead includes the filter */
     .rows = {LEVEL("latency", "latency_us"),
              LEVEL("overhead of messages", "overhead_us - work_us|0"), LEVEL("filter", "work_us"),
              LEVEL("gap", "gap_us")},
     .most = LEVELS},
    {.name = NULL}};

static const struct tan_figure design_figures[] = {
    {"leaves", "Wave time, by number of leaves", "leaves", "wave, us", "xy",
     "The best tree for each number of leaves, and what simple rules build. Where the flat tree "
     "leaves the lowest line, trees begin to pay; from the marked numbers of leaves on each rule "
     "beats it. +: these leaves.",
     .rows = {{TAN_LINE, "best tree", "figures.by_leaves.leaves",
               .value = {"", "/figures.by_leaves.best_us"}},
              {TAN_DASHES, "{.name}", "figures.by_leaves.leaves", .value = {"", ".wave_us"},
               .each = "figures.by_leaves.rules"},
              {TAN_POINTS, "flat tree overtaken", "figures.by_leaves.rules",
               .value = {"beats_flat.leaves", "beats_flat.flat_us"}},
              {.draw = note_leaves}}},
    {"sensitivities", "What moves the wave time", "change of the wave time, %", NULL, "",
     "How much slower or faster a wave over the recommended tree is when one parameter is a tenth "
     "larger or smaller. The longest bar is what to measure well, and to improve first.",
     .rows = {{.draw = add_changes}}},
    {"stays-fastest", "How far parameters may move", "multiple of the value", NULL, "x",
     "The range of each parameter, as a multiple of its value, in which no other tree is faster; "
     "ranges beyond a tenth and ten times are cut.",
     .rows = {{.draw = add_stays}}},
    {.name = NULL}};

/* Draw the recommended tree process by process, or level by level if there are too many. */
static void draw_best(struct page *p, const json_t *tree, const json_t *figures)
{
    static const char title[] = "The recommended tree";
    const json_t *drawn = json_object_get(figures, "tree");
    if (draw_tree(p, tan_array_of(drawn, "parents"), tan_array_of(drawn, "critical"), NULL, "tree",
                  title, "Its processes")) {
        return;
    }
    const json_t *levels = tan_array_of(tree, "levels");
    int64_t processes[LEVELS];
    const size_t n = json_array_size(levels);
    double left = tan_number_of(tree, "processes"); /* below the levels counted so far */
    if (n == 0 || n + 1 > LEVELS) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double nodes = tan_number_of(json_array_get(levels, i), "nodes");
        left -= nodes;
        if (!(nodes >= 1.0 && left >= 1.0 && left < 9e15)) {
            return;
        }
        processes[i] = (int64_t)nodes;
    }
    processes[n] = (int64_t)left; /* leaves, which may be fewer than the fanouts could hold */
    tan_page_levels(
        p, "tree", title,
        "Processes at each level, the root above, and how many children each has on average; the "
        "widths are logarithmic.",
        processes, (int)n + 1);
}

/* A note to add to answers of an untrustworthy file. */
static const char *untrusted_note(const json_t *document)
{
    return tan_page_untrusted(json_is_false(json_object_get(document, "trustworthy")));
}

/* Compare the rules of thumb and defaults: the best and the worst. */
static void tell_rules(struct page *p, const json_t *design)
{
    const json_t *rules = tan_array_of(design, "baselines");
    const json_t *least = NULL;
    const json_t *most = NULL;
    char share[32];
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i);
        const double slower = tan_number_of(rule, "slower");
        if (isfinite(slower)) {
            least = least == NULL || slower < tan_number_of(least, "slower") ? rule : least;
            most = most == NULL || slower > tan_number_of(most, "slower") ? rule : most;
        }
    }
    if (most != NULL && tan_number_of(least, "slower") < 0.001) {
        tan_page_answer(
            p,
            "Of the rules of thumb and defaults, %.60s is as fast, and %.60s is furthest "
            "off: %.4g times the wave time.",
            tan_text_of(least, "name"), tan_text_of(most, "name"),
            1.0 + tan_number_of(most, "slower"));
    } else if (most != NULL) {
        tan_page_answer(p,
                        "Of the rules of thumb and defaults, %.60s comes closest, %s slower, and "
                        "%.60s is furthest off: %.4g times the wave time.",
                        tan_text_of(least, "name"),
                        tan_format_share(tan_number_of(least, "slower"), share, sizeof share),
                        tan_text_of(most, "name"), 1.0 + tan_number_of(most, "slower"));
    }
}

/* The recommendation of another model, and how slow it is; `who`: subject of the sentence. */
static void tell_other(struct page *p, const json_t *other, const char *who)
{
    const json_t *best = json_object_get(other, "tree");
    const double slower = tan_number_of(best, "slower");
    char times[64] = "is as fast";
    char wave[TAN_PAGE_TIME];
    if (best == NULL) {
        return;
    }
    if (slower >= 0.001) {
        snprintf(times, sizeof times, "takes %.4g times as long", 1.0 + slower);
    }
    tan_page_answer(p, "%s predicts %s for this tree and would build %.80s, which %s.", who,
                    tan_page_time(tan_number_of(other, "wave_us"), wave), tan_text_of(best, "topo"),
                    times);
}

/* Whether the waves have messages in one direction only, as given by --bandwidth. */
static bool is_one_way(const json_t *machine)
{
    const json_t *given = json_object_get(machine, "given");
    return tan_number_of(given, "up_bytes") == 0.0 || tan_number_of(given, "down_bytes") == 0.0;
}

/* "on \"NAME\"", "with L = 2 us, a = 1 us", or both. */
static void name_machine(const json_t *machine, char *text, size_t size)
{
    char given[TAN_GIVEN_WORDS];
    const bool replaces = *tan_given_words(machine, given) != '\0';
    const bool named = *tan_text_of(machine, "file") != '\0' || !replaces;
    snprintf(text, size, "%s%.60s%s%s%s", named ? "on \"" : "",
             named ? tan_text_of(machine, "name") : "", named ? "\"" : "",
             !replaces ? ""
             : named   ? " with "
                       : "with ",
             given);
}

/* Append the sentences of "sensitivity" to a text: how far parameters may be off. */
static void add_sensitivity(const json_t *answer, char *text, size_t size)
{
    const json_t *rows = tan_array_of(answer, "sensitivity");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, " %s", tan_text_of(json_array_get(rows, i), "text"));
    }
}

/* Append a sentence on the runner-up, if there is one; `name` and `loss`: keys of its name and of
 * its mean loss. */
static void add_runner_up(const json_t *answer, const char *name, const char *loss, char *text,
                          size_t size)
{
    const json_t *next = json_object_get(answer, "runner_up");
    const double probability = tan_number_of(next, "probability");
    const size_t used = strlen(text);
    char share[32];
    if (probability < 0.01) {
        snprintf(text + used, size - used, " The runner-up, %.80s, costs %s on average.",
                 tan_text_of(next, name),
                 tan_format_share(tan_number_of(next, loss), share, sizeof share));
    } else if (isfinite(probability)) {
        snprintf(text + used, size - used,
                 " The runner-up, %.80s, is the best with a probability of %.0f %% and costs "
                 "%s on average.",
                 tan_text_of(next, name), 100.0 * probability,
                 tan_format_share(tan_number_of(next, loss), share, sizeof share));
    } else if (next != NULL) {
        const double slower = tan_number_of(next, "slower");
        snprintf(text + used, size - used, " The runner-up, %.80s, %s%s%s.",
                 tan_text_of(next, name), slower > 0.0 ? "takes " : "is as fast",
                 slower > 0.0 ? tan_format_share(slower, share, sizeof share) : "",
                 slower > 0.0 ? " longer" : "");
    }
}

/* How sure the tree is: by draws of the parameters, or by how far they may be off. */
static void tell_tree_sureness(struct page *p, const json_t *design)
{
    const double sure = tan_number_of(design, "probability");
    char text[SURENESS] = "How sure:";
    const size_t heading = strlen(text);
    const json_t *best = json_object_get(design, "best");
    const double tied = tan_number_of(design, "tied");
    const char *best_of = tan_text_of(design, "best_of");
    const char *among = *best_of != '\0' ? best_of : "all trees";
    char loss[32];
    if (isfinite(sure) && tied > 1.0) {
        tan_page_answer(p,
                        "%.0f trees tie: none of them is significantly slower than the fastest, "
                        "and this is the one with the fewest processes, unless that may lose more.",
                        tied);
    }
    if (sure < 0.01) {
        snprintf(
            text, sizeof text,
            "It is the best of %s in less than 1 %% of the draws; it is %s slower than the best "
            "one on average.",
            among, tan_format_share(tan_number_of(best, "mean_loss"), loss, sizeof loss));
    } else if (isfinite(sure)) {
        snprintf(text, sizeof text,
                 "It is the best of %s with a probability of %.0f %%, if waves cost what the model "
                 "says.",
                 among, 100.0 * sure);
    }
    add_runner_up(design, "topo", "mean_loss", text, sizeof text);
    add_sensitivity(design, text, sizeof text);
    if (isfinite(sure) || strlen(text) > heading) {
        tan_page_answer(p, "%s", text);
    }
}

void tan_show_design(struct page *p, const struct source *s)
{
    const json_t *best = json_object_get(s->document, "best");
    const double leaves = tan_number_of(s->document, "leaves");
    tan_page_section(p, "Recommended tree", s->name);
    const json_t *machine = json_object_get(s->document, "machine");
    char where[TAN_GIVEN_WORDS + 100];
    char wave[TAN_PAGE_TIME];
    name_machine(machine, where, sizeof where);
    tan_page_answer(p, "For %.0f leaves %s use %.80s: %s a wave, %s%s.", leaves, where,
                    tan_text_of(best, "topo"), tan_page_time(tan_number_of(best, "wave_us"), wave),
                    is_one_way(machine) ? "one way" : "half a round trip",
                    untrusted_note(s->document));
    tell_tree_sureness(p, s->document);
    tell_rules(p, s->document);
    tell_other(p, json_object_get(s->document, "logp"),
               "LogP, under which further children are free,");
    tell_other(p, json_object_get(s->document, "tan"), "TAN, under which nothing overlaps,");
    tell_other(p, json_object_get(s->document, "loggpo"), "LogGPO as published");
    const double flat = tan_number_of(s->document, "flat_until");
    const json_t *latency = json_object_get(s->document, "fastest_while_L_us");
    const bool sensitive = json_object_get(s->document, "sensitivity") != NULL;
    if (!sensitive && isfinite(tan_number_of(latency, "min")) &&
        isfinite(tan_number_of(latency, "max"))) {
        tan_page_answer(p, "It stays the fastest while a message is under way for %.4g to %.4g us.",
                        tan_number_of(latency, "min"), tan_number_of(latency, "max"));
    } else if (flat >= 2.0) {
        tan_page_answer(p, "Up to %.0f leaves no tree is faster than a flat one.", flat);
    }
    const json_t *figures =
        figures_of(p, s->document, "Curves over fanouts and leaves are left out");
    draw_best(p, best, figures);
    tan_show_figures(p, s->document, levels_figure);
    if (leaves >= 2.0) {
        tan_show_figures(p, s->document, fanout_figures);
    }
    tan_show_figures(p, s->document, design_figures);
}

/* The worst placement of the recommended tree, or else the slowest of all choices. */
static void tell_worst_placement(struct page *p, const json_t *choices, const json_t *best)
{
    char wave[TAN_PAGE_TIME];
    const json_t *worst = NULL;
    for (size_t i = 1; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        if (strcmp(tan_text_of(choice, "topo"), tan_text_of(best, "topo")) == 0 &&
            tan_number_of(choice, "wave_us") >
                tan_number_of(worst != NULL ? worst : best, "wave_us")) {
            worst = choice;
        }
    }
    if (worst != NULL) {
        tan_page_answer(p, "With the placement \"%.20s\" the same tree takes %s.",
                        tan_text_of(worst, "placement"),
                        tan_page_time(tan_number_of(worst, "wave_us"), wave));
    } else if (json_array_size(choices) > 1) {
        const json_t *last = json_array_get(choices, json_array_size(choices) - 1);
        tan_page_answer(p,
                        "The slowest of %zu trees and placements, %.80s placed \"%.20s\", takes "
                        "%s.",
                        json_array_size(choices), tan_text_of(last, "topo"),
                        tan_text_of(last, "placement"),
                        tan_page_time(tan_number_of(last, "wave_us"), wave));
    }
}

static const struct tan_figure hosted_figures[] = {
    {"placements", "Wave time, by tree and placement", "wave, us", NULL, "",
     "Predicted waves with their 95 % intervals where they are known. What overlaps with the "
     "first row may be as fast.",
     .names = {'y', "choices", "{topo:%.40s}, {placement:%.16s}"},
     .rows = {{TAN_SPAN, "95 % interval", "choices", .value = {"#", "ci95.0", "ci95.1"}},
              {TAN_POINTS, "predicted", "choices", .value = {"wave_us", "#"}}},
     .most = 24},
    {.name = NULL}};

void tan_show_hosted(struct page *p, const struct source *s)
{
    const json_t *choices = tan_array_of(s->document, "choices");
    const json_t *best = json_array_get(choices, 0);
    char wave[TAN_PAGE_TIME];
    char racks[40] = "";
    if (tan_number_of(best, "racks") > 1.0) {
        snprintf(racks, sizeof racks, " in %.0f racks", tan_number_of(best, "racks"));
    }
    tan_page_section(p, "Trees and their places on hosts", s->name);
    tan_page_answer(
        p, "Use %.80s with the placement \"%.20s\", on %.0f hosts%s: %s a wave%s.",
        tan_text_of(best, "topo"), tan_text_of(best, "placement"), tan_number_of(best, "hosts"),
        racks, tan_page_time(tan_number_of(best, "wave_us"), wave), untrusted_note(s->document));
    const json_t *figures =
        figures_of(p, s->document, "What the placement means, and a drawing of it, are left out");
    if (*tan_text_of(figures, "placement") != '\0') {
        tan_page_answer(p, "\"%s\" means: %s.", tan_text_of(best, "placement"),
                        tan_text_of(figures, "placement"));
    }
    tell_worst_placement(p, choices, best);
    tan_show_figures(p, s->document, hosted_figures);
    const json_t *tree = json_object_get(figures, "tree");
    draw_tree(p, tan_array_of(tree, "parents"), NULL, tan_array_of(tree, "hosts"), "placed-tree",
              "The recommended tree on its hosts", "Its processes");
}

static const struct tan_figure cost_figures[] = {
    {"costs", "Cost of a level, by fanout", "children", "time, us", "xy",
     "What a level of the tree takes, with its 95 % interval, and its share for each child, which "
     "is least where a fanout uses its level best.",
     .rows = {{TAN_INTERVALS, "a level", "fanouts",
               .value = {"fanout", "level_us", "ci95_us.0|level_us", "ci95_us.1|level_us"}},
              {TAN_POINTS, "each child", "fanouts", .value = {"fanout", "per_child_us"}}}},
    {"fanout-trees", "Wave time, by fanout", "children", "wave, us", "xy",
     "The tree for these leaves whose processes have at most this many children.",
     .rows = {{TAN_POINTS, "", "fanouts", .value = {"fanout", "tree.wave_us"}}}},
    {.name = NULL}};

void tan_show_costs(struct page *p, const struct source *s)
{
    const json_t *fanouts = tan_array_of(s->document, "fanouts");
    tan_page_section(p, "Costs of fanouts", s->name);
    tan_page_tell(p, tan_least_of(fanouts, "per_child_us"),
                  "A child costs least in a fanout of {fanout:%.0f}: {per_child_us:%.4g} us of the "
                  "{level_us:%.4g} us that a level takes then.");
    tan_page_tell(p, tan_least_of(fanouts, "tree.wave_us"),
                  "Of these fanouts, the tree of at most {fanout:%.0f} children for each process "
                  "has the shortest wave: {tree.wave_us:us}.");
    tan_show_figures(p, s->document, cost_figures);
}

#define PARETO(cost, before, after)                                                                \
    "{trees} trees are worth considering: from " before "{trees.-1." cost ":%.0f}" after           \
    " with waves of {trees.-1.wave_us:us} to " before "{trees.0." cost ":%.0f}" after              \
    " with waves of {trees.0.wave_us:us}."
#define PARETO_ROWS(cost)                                                                          \
    {                                                                                              \
        {TAN_STEPS, "", "-trees", .value = {cost, "wave_us"}},                                     \
            {TAN_POINTS, "a tree", "-trees", .value = {cost, "wave_us"}},                          \
    }

static const struct tan_figure fronts[][2] = {
    {{"pareto", "Trees to which no other is preferable", "processes", "wave, us", "y",
      "Each step is a tree: whoever wants a faster one has to start more processes.",
      .rows = PARETO_ROWS("processes")}},
    {{"pareto-loss", "Trees to which no other is preferable", "leaves that a process takes with it",
      "wave, us", "xy",
      "Each step is a tree: whoever wants a faster one loses more leaves when a process fails.",
      .rows = PARETO_ROWS("most_lost")}},
};

void tan_show_pareto(struct page *p, const struct source *s)
{
    const bool loss = strcmp(tan_text_of(s->document, "against"), "most_lost") == 0;
    tan_page_section(
        p, loss ? "Wave time against the loss by a failure" : "Wave time against processes",
        s->name);
    tan_page_tell(p, s->document,
                  loss ? PARETO("most_lost", "a loss of ", "")
                       : PARETO("processes", "", " processes"));
    tan_show_figures(p, s->document, fronts[loss]);
}

#define PREDICTED(model)                                                                           \
    {                                                                                              \
        TAN_POINTS, model, "trees", .value = { "#", "wave_us." model }                             \
    }

static const struct tan_figure predicted_figures[] = {
    {"predicted", "Predicted waves, by tree and model", NULL, "wave, us", "y",
     "A mark for each model. Where they are apart, the fanout of the tree is what they disagree "
     "about.",
     .names = {'x', "trees", "{topo:%.30s}"},
     .rows = {PREDICTED("tan"), PREDICTED("logp"), PREDICTED("logp-serial"),
              PREDICTED("tan-overlap")},
     .most = 24},
    {.name = NULL}};

void tan_show_predict(struct page *p, const struct source *s)
{
    tan_page_section(p, "Predicted waves", s->name);
    for (const struct tan_rows *model = predicted_figures[0].rows; model->list != NULL; model++) {
        char text[160];
        snprintf(text, sizeof text, "Of these trees {topo} is the fastest by %s: {%s:us}.",
                 model->title, model->value[1]);
        tan_page_tell(p, tan_least_of(tan_array_of(s->document, "trees"), model->value[1]), text);
    }
    tan_show_figures(p, s->document, predicted_figures);
}

/* Draw the tree that a system builds, process by process or level by level; `key` and `critical`:
 * keys of its parents and its critical path. */
static void draw_parents(struct page *p, const json_t *target, const char *key,
                         const char *critical)
{
    static const char title[] = "Tree of the system";
    const json_t *array = tan_array_of(target, key);
    const size_t n = json_array_size(array);
    if (n == 0 || n > INT32_MAX ||
        draw_tree(p, array, tan_array_of(target, critical), NULL, "parents", title,
                  "What the system builds")) {
        return;
    }
    int64_t processes[LEVELS];
    int32_t *parents = calloc(n + 1, sizeof *parents);
    for (size_t i = 0; parents != NULL && i < n; i++) {
        parents[i] = index_at(array, i, (int32_t)n);
    }
    const int levels = parents == NULL ? 0 : tan_levels_of(parents, (int32_t)n, processes, LEVELS);
    if (levels > 0) {
        tan_page_levels(p, "parents", title, "What the system builds, the root above.", processes,
                        levels);
    }
    free(parents);
}

/* "as fast as with the best tree of all", "2.5 % more than ..."; or "one way" where no other tree
 * was searched. */
static void name_slower(const json_t *way, char *text, size_t size)
{
    const double slower = tan_number_of(way, "slower");
    if (json_object_get(way, "best_tree") == NULL) {
        snprintf(text, size, "%s", tan_text_of(way, "priced"));
        return;
    }
    const char *of = tan_text_of(json_object_get(way, "best_tree"), "of");
    char share[32];
    of = *of != '\0' ? of : "all";
    if (fabs(slower) < 0.0005) {
        snprintf(text, size, "as fast as with the best tree of %s", of);
    } else if (slower < 1.0) {
        snprintf(text, size, "%s %s than with the best tree of %s",
                 tan_format_share(fabs(slower), share, sizeof share),
                 slower < 0.0 ? "less" : "more", of);
    } else {
        snprintf(text, size, "%.3g times that of the best tree of %s", 1.0 + slower, of);
    }
}

/* What the default costs more than the setting, as a sentence after a blank; "" if unknown. */
static void name_stake(const json_t *way, char *text, size_t size)
{
    const json_t *untold = json_object_get(way, "untold");
    const double wave = tan_number_of(way, "wave_us");
    const double by_default = tan_number_of(untold, "wave_us");
    char times[2][TAN_PAGE_TIME];
    char more[TAN_PAGE_TIME];
    const char *algorithm = tan_text_of(way, "default_algorithm");
    text[0] = '\0';
    if (*algorithm != '\0') {
        snprintf(text, size, " The default, %.60s, is not predicted.", algorithm);
        return;
    }
    if (!isfinite(by_default) || !(wave > 0.0)) {
        return;
    }
    if (by_default / wave < 1.0005) {
        const bool less = by_default / wave < 0.9995;
        snprintf(text, size, " The default, %.60s, %s%s%s.", tan_text_of(untold, "setting"),
                 less ? "takes " : "is as fast", less ? tan_page_time(by_default, times[0]) : "",
                 less ? " without failures" : "");
        return;
    }
    snprintf(text, size, " The default, %.60s, takes %s: at stake are %s a wave (%s).",
             tan_text_of(untold, "setting"), tan_page_time(by_default, times[0]),
             tan_page_time(by_default - wave, times[1]),
             tan_format_slower(by_default / wave - 1.0, more, sizeof more));
}

/* Whether the user has named the setting, so that it is not recommended. */
static bool is_given(const json_t *target)
{
    return json_is_true(json_object_get(target, "given"));
}

static const char *setting_role(const json_t *target)
{
    return is_given(target) ? "given" : "recommended";
}

/* The setting of one direction, or of both, and what the default costs. */
static void tell_setting(struct page *p, const json_t *target, const json_t *way, const char *note)
{
    const bool given = is_given(target);
    const json_t *ci95 = tan_array_of(way, "wave_ci95_us");
    const double members = fmax(tan_number_of(target, "members"), tan_number_of(target, "leaves"));
    char wave[3][TAN_PAGE_TIME];
    char whom[240] = "";
    const char *asked = tan_text_of(target, "asked");
    const char *title = tan_text_of(target, "title");
    asked = *asked != '\0' ? asked : tan_text_of(target, "name");
    char interval[100] = "";
    char against[100];
    char stake[300];
    if (isfinite(members)) {
        snprintf(whom, sizeof whom, " (%.80s%s%.0f %.100s)", title, *title != '\0' ? ", " : "",
                 members, tan_text_of(target, "counts"));
    }
    if (isfinite(tan_number_at(ci95, 0))) {
        snprintf(interval, sizeof interval, " (95 %% interval %s to %s)",
                 tan_page_time(tan_number_at(ci95, 0), wave[1]),
                 tan_page_time(tan_number_at(ci95, 1), wave[2]));
    }
    tan_page_time(tan_number_of(way, "wave_us"), wave[0]);
    name_stake(way, stake, sizeof stake);
    name_slower(way, against, sizeof against);
    const char *failing = tan_text_of(json_object_get(way, "least_expected"), "text");
    tan_page_answer(p, "%s%s%s %s %s: %s a wave%s, %s%s.%s%s%.600s", given ? "" : "For ", asked,
                    whom, given ? "with" : "use", tan_text_of(way, "setting"), wave[0], interval,
                    against, note, stake, *failing != '\0' ? " " : "", failing);
}

/* Append how sure the setting of one direction is; returns its probability, or NaN. */
static double add_sureness(const json_t *way, char *text, size_t size)
{
    const double probability = tan_number_of(way, "probability");
    const size_t used = strlen(text);
    char mean[32];
    char most[32];
    if (isfinite(probability)) {
        snprintf(text + used, size - used,
                 " %.60s is the best setting with a probability of %.0f %%, if waves cost what the "
                 "model says; choosing it costs %s on average and at most %s in 95 of 100 cases.",
                 tan_text_of(way, "setting"), 100.0 * probability,
                 tan_format_share(tan_number_of(way, "mean_regret"), mean, sizeof mean),
                 tan_format_share(tan_number_of(way, "regret_95"), most, sizeof most));
    }
    add_sensitivity(way, text, size);
    add_runner_up(way, "setting", "mean_regret", text, size);
    return probability;
}

/* The model's error on trees that its fit left out; NaN if it is unknown. */
static double error_of(const json_t *document)
{
    const json_t *machine = json_object_get(document, "machine");
    const json_t *errors = json_object_get(json_object_get(machine, "check"), "mean_abs_error");
    return tan_number_of(errors, tan_text_of(document, "model"));
}

/* How sure the settings are, and what would settle the rest. */
static void tell_sureness(struct page *p, const json_t *document, const json_t *const way[2])
{
    const double sure = 0.95;
    char text[SURENESS] = "How sure:";
    const size_t heading = strlen(text);
    double least = INFINITY;
    for (int i = 0; i < 2; i++) {
        least = fmin(least, add_sureness(way[i], text, sizeof text));
    }
    const double error = error_of(document);
    char share[32];
    const double stake = tan_number_of(json_object_get(way[0], "untold"), "wave_us") /
                             tan_number_of(way[0], "wave_us") -
                         1.0;
    if (strlen(text) == heading) {
        snprintf(text, sizeof text, "How sure is unknown.");
    }
    if (json_is_true(json_object_get(json_object_get(document, "machine"), "default"))) {
        tan_page_answer(p,
                        "%s These are another cluster's parameters: tanbench calibrate on yours "
                        "settles it.",
                        text);
    } else if (!isfinite(least)) {
        tan_page_answer(p,
                        "%s The parameters have no error bars. Those that tan-fit finds from times "
                        "of the system itself have them, as do those of tanbench calibrate, which "
                        "measures processes of MPI.",
                        text);
    } else if (error > stake) {
        tan_page_answer(
            p,
            "%s The model errs by %s on trees that its fit left out, which is more than the "
            "default costs: time the system with both settings.",
            text, tan_format_share(error, share, sizeof share));
    } else if (least < sure) {
        tan_page_answer(
            p,
            "%s Further launches (tanbench calibrate --launches 5), or waves of further trees for "
            "tan-fit, settle it.",
            text);
    } else {
        tan_page_answer(p, "%s", text);
    }
}

/* The value of a setting of which `name` is all but the value; NaN if it is another one. */
static double value_of(const json_t *told, const char *name)
{
    const char *setting = tan_text_of(told, "setting");
    const size_t length = strlen(name);
    return strncmp(setting, name, length) == 0 ? strtod(setting + length, NULL) : NAN;
}

static bool is_default_rule(const json_t *rule)
{
    return strncmp(tan_text_of(rule, "rule"), "default", strlen("default")) == 0;
}

static void add_told(struct tan_chart *c, const char *title, const json_t *told, const char *name)
{
    tan_chart_add(c, TAN_POINTS, title);
    tan_chart_point(c, value_of(told, name), tan_number_of(told, "wave_us"));
}

#define SETTING_CAPTION                                                                            \
    "the default, what the system's documents advise, and others with less than three times the "  \
    "wave time. Where the curve is flat, neighbours are as good. The line joins the values that "  \
    "were evaluated, all up to 14 and further ones 7 % apart; between them waves may be longer."

/* Waves by the value of the setting. */
static void show_values(struct page *p, const json_t *target, const json_t *way)
{
    const json_t *curve = json_object_get(way, "by_value");
    const json_t *advised = tan_array_of(target, "advised");
    const json_t *waves = tan_array_of(curve, "wave_us");
    const char *name = tan_text_of(curve, "setting");
    char axis[80];
    char title[100];
    struct tan_chart c;
    if (curve == NULL) {
        return;
    }
    /* in detail where it is low */
    const double most = 3.0 * tan_number_of(way, "wave_us");
    snprintf(axis, sizeof axis, "%.*s", (int)strcspn(name, "="), name);
    snprintf(title, sizeof title, "Wave time, by %s", axis);
    tan_chart_init(&c, "values", title,
                   is_given(target) ? "The given value, " SETTING_CAPTION
                                    : "The recommended value, " SETTING_CAPTION);
    c.x.title = axis;
    c.y.title = "wave, us";
    c.x.log = true;
    c.y.log = true;
    tan_chart_add(&c, TAN_LINE, "values evaluated");
    for (size_t i = 0; i < json_array_size(waves) && i < CURVE; i++) {
        if (tan_number_at(waves, i) < most) {
            tan_chart_point(&c, tan_number_at(tan_array_of(curve, "value"), i),
                            tan_number_at(waves, i));
        }
    }
    add_told(&c, setting_role(target), way, name);
    add_told(&c, "default", json_object_get(way, "untold"), name);
    for (size_t i = 0; i < json_array_size(advised); i++) {
        const json_t *rule = json_array_get(advised, i);
        if (!is_default_rule(rule)) {
            add_told(&c, tan_text_of(rule, "rule"), rule, name);
        }
    }
    tan_page_chart(p, &c);
}

static void add_alternative(struct tan_chart *c, const char *what, const json_t *told)
{
    char name[100];
    if (isfinite(tan_number_of(told, "wave_us"))) {
        snprintf(name, sizeof name, "%.40s%s%.32s", tan_text_of(told, "setting"),
                 *what != '\0' ? ", " : "", what);
        tan_chart_point(c, tan_number_of(told, "wave_us"), tan_chart_name(c, &c->y, name));
    }
}

#define ALTERNATIVES_CAPTION                                                                       \
    "95 % interval if known, the best value of each other setting, the default, and what the "     \
    "system's documents advise."

/* The setting, its alternatives and the default side by side. */
static void show_alternatives(struct page *p, const json_t *target, const json_t *way)
{
    enum { MOST = 20 };
    const json_t *advised = tan_array_of(target, "advised");
    const json_t *others = tan_array_of(way, "others");
    const json_t *ci95 = tan_array_of(way, "wave_ci95_us");
    struct tan_chart c;
    tan_chart_init(&c, "settings", "Wave time, by setting",
                   is_given(target) ? "The given setting with its " ALTERNATIVES_CAPTION
                                    : "The recommended setting with its " ALTERNATIVES_CAPTION);
    c.x.title = "wave, us";
    tan_chart_add(&c, TAN_SPAN, "95 % interval");
    tan_chart_row(
        &c, (const double[TAN_CHART_COLUMNS]){1.0, tan_number_at(ci95, 0), tan_number_at(ci95, 1)});
    tan_chart_add(&c, TAN_POINTS, "predicted");
    add_alternative(&c, setting_role(target), way);
    for (size_t i = 0; i < json_array_size(others) && i < MOST; i++) {
        add_alternative(&c, "", json_array_get(others, i));
    }
    add_alternative(&c, "default", json_object_get(way, "untold"));
    for (size_t i = 0; i < json_array_size(advised) && i < MOST; i++) {
        const json_t *rule = json_array_get(advised, i);
        if (!is_default_rule(rule)) {
            add_alternative(&c, "advised", rule);
        }
    }
    if (c.y.names < 2) { /* nothing to compare */
        tan_chart_clear(&c);
    }
    tan_page_chart(p, &c);
}

void tan_show_target(struct page *p, const struct source *s)
{
    const json_t *target = json_object_get(s->document, "target");
    const json_t *const way[2] = {target, json_object_get(target, "down")};
    const char *configuration = tan_text_of(target, "configuration");
    const char *failure = tan_text_of(target, "failure");
    tan_page_section(p, "Setting of a system", s->name);
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        tell_setting(p, target, way[i], untrusted_note(s->document));
    }
    tell_sureness(p, s->document, way);
    if (strlen(configuration) < LISTED) {
        tan_page_listing(p, configuration);
    }
    if (*failure != '\0') {
        tan_page_remark(p, "If a process fails: %.700s", failure);
    }
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        show_values(p, target, way[i]);
        show_alternatives(p, target, way[i]);
    }
    draw_parents(p, target, "parents", "critical");
    draw_parents(p, target, "down_parents", "down_critical");
}

/* The largest gain from configuring a system. */
static void tell_systems(struct page *p, const json_t *targets)
{
    const json_t *gains = NULL;
    double most = 1.0;
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *row = json_array_get(targets, i);
        const double gain = tan_number_of(json_object_get(row, "untold"), "wave_us") /
                            tan_number_of(row, "wave_us");
        if (gain > most) {
            gains = row;
            most = gain;
        }
    }
    if (gains == NULL) {
        tan_page_answer(p, "No system gains by another setting than its default.");
    } else {
        tan_page_answer(p, "%.40s gains most: %.40s makes waves %.3g times as fast as its default.",
                        tan_text_of(gains, "name"), tan_text_of(gains, "setting"), most);
    }
}

static void name_systems(struct tan_chart *c, const json_t *document)
{
    const json_t *targets = tan_array_of(document, "targets");
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *row = json_array_get(targets, i);
        char name[64];
        const bool both = strcmp(tan_text_of(row, "direction"), "both") == 0;
        snprintf(name, sizeof name, "%.20s%s%.8s", tan_text_of(row, "name"), both ? "" : ", ",
                 both ? "" : tan_text_of(row, "direction"));
        tan_chart_name(c, &c->y, name);
    }
}

static const struct tan_figure target_figures[] = {
    {"targets", "Wave time, by system", "wave, us", NULL, "x",
     "The best setting of each system and what it does by default. A wave is half a round trip, or "
     "goes one way, as the system's operation does. Marks at one place are equally fast; a system "
     "whose default is far right gains from configuration.",
     .rows = {{.draw = name_systems},
              {TAN_POINTS, "best setting", "targets", .value = {"wave_us", "#"}},
              {TAN_POINTS, "default", "targets", .value = {"untold.wave_us", "#"}}}},
    {.name = NULL}};

void tan_show_targets(struct page *p, const struct source *s)
{
    const json_t *targets = tan_array_of(s->document, "targets");
    tan_page_section(p, "Systems that build the tree", s->name);
    tell_systems(p, targets);
    tan_show_figures(p, s->document, target_figures);
}
