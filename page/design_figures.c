/* design_figures.c - figures of recommendations: fanouts, numbers of leaves, levels, certainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"

/* LISTED: characters of a configuration that is shown; SURENESS: characters of sentences on how
 * sure an answer is. */
enum { LEVELS = TAN_DRAWN_LEVELS, LISTED = 4000, SURENESS = 2000 };

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

/* The caption names the rules by their numbers. */
static const struct tan_figure fanout_figures[] = {
    {"fanout", "Wave time, by largest fanout", "children of a process, at most", "wave, us", "xy",
     "The recommended tree, trees whose processes have at most this many children, and what rules "
     "of thumb and the defaults of systems build:[*baselines:[{?# - 1},] {#} {name:%.40s}].",
     .rows = {{TAN_STEPS, "at most this many children, spread evenly",
               "figures.by_fanout.max_fanout", .value = {"", "/figures.by_fanout.wave_us"}},
              {TAN_POINTS, "recommended", "best", .value = {"max_fanout", "wave_us"}},
              /* but for the first one, which is recommended */
              {TAN_POINTS, "ties with it", "candidates", .value = {"max_fanout", "wave_us"},
               .only = "tied * # - 1"},
              {TAN_POINTS, "rules of thumb", "baselines", .value = {"max_fanout", "wave_us"}},
              /* numbers, since names would overlap */
              {.list = "baselines", .value = {"max_fanout", "wave_us"}, .note = "{#}"}}},
    {.name = NULL}};

/* The best tree for a number of leaves, if the curve has that point. */
#define BEST_FOR(leaves, text)                                                                     \
    {                                                                                              \
        .list = "figures.by_leaves.leaves", .value = {"", "/figures.by_leaves.best_us"},           \
        .only = "~/" leaves, .note = text                                                          \
    }

#define PARAMETER                                                                                  \
    "[{?parameter=L_us}L, latency][{?parameter=a_us}a, a message][{?parameter=o_s_us}o_s, "        \
    "sending][{?parameter=b_us}b, a child][{?parameter=o_r_us}o_r, receiving]"                     \
    "[{?parameter=c_us}c, crowding]"

#define LEVEL(title, time)                                                                         \
    {                                                                                              \
        TAN_STACK, title, "best.levels", .value = {"#", time}, .only = time                        \
    }

static const struct tan_figure levels_figure[] = {
    {"levels", "What a wave is made of, level by level", "level and its fanout", "us", "",
     "Time on the way, overhead and filter of each level from the root, added up. A tree is "
     "balanced where none is much larger than the others.",
     .names = {'x', "best.levels", "{#}: {fanout:%.0f}", 0},
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
              BEST_FOR("flat_until", "flat up to {/flat_until:%.0f}"),
              BEST_FOR("leaves", "{/leaves:%.0f} leaves"),
              {.list = "figures.by_leaves.rules",
               .value = {"beats_flat.leaves", "beats_flat.flat_us"},
               .note = "{beats_flat.leaves:%.0f}"}}},
    {"sensitivities", "What moves the wave time", "change of the wave time, %", NULL, "",
     "How much slower or faster a wave over the recommended tree is when one parameter is a tenth "
     "larger or smaller. The longest bar is what to measure well, and to improve first.",
     .rows = {{TAN_SPAN, "a tenth more or less", "figures.by_parameter",
               .value = {"$", "0 - tenth_more * 100", "tenth_more * 100"}, .name = PARAMETER}}},
    {"stays-fastest", "How far parameters may move", "multiple of the value", NULL, "x",
     "The range of each parameter, as a multiple of its value, in which no other tree is faster; "
     "ranges beyond a tenth and ten times are cut.",
     .rows = {{TAN_SPAN, "stays the fastest", "sensitivity",
               .value = {"$", "stays_best_us.0|0 / value_us max 0.1",
                         "stays_best_us.1|1e300 / value_us min 10"},
               .name = PARAMETER},
              {TAN_SPAN, .list = "figures.by_parameter",
               .value = {"$", ".0|0 / value_us max 0.1", ".1|1e300 / value_us min 10"},
               .only = "parameter~@", .each = "stays_fastest", .name = PARAMETER}}},
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

/* Compare the rules of thumb and defaults: the best and the worst. */
static void tell_rules(struct page *p, const json_t *design)
{
    const json_t *rules = tan_array_of(design, "baselines");
    const struct tan_place at = {.entry = tan_least_of(rules, "slower"),
                                 .each = tan_least_of(rules, "0 - slower")};
    tan_page_tell_at(p, &at,
                     "Of the rules of thumb and defaults, {name:%.60s}[{?0.001 - slower} is as "
                     "fast][{?!0.001 - slower} comes closest, {slower:share} slower], and "
                     "{.name:%.60s} is furthest off: {1 + .slower:%.4g} times the wave time.");
}

/* The recommendation of another model, and how slow it is; `who`: subject of the sentence. */
#define OTHER(who, model)                                                                          \
    who " predicts {" model ".wave_us:us} for this tree and would build {" model                   \
        ".tree.topo:%.80s}, which [{?0.001 - " model ".tree.slower}is as fast][{?!0.001 - " model  \
        ".tree.slower}takes {1 + " model ".tree.slower:%.4g} times as long]."

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

/* The runner-up, if there is one; `name` and `loss`: keys of its name and of its mean loss. */
#define RUNNER_UP(name, loss)                                                                      \
    "[{?0.01 - runner_up.probability} The runner-up, {runner_up." name                             \
    ":%.80s}, costs {runner_up." loss ":share} on average.]"                                       \
    "[{?!0.01 - runner_up.probability} The runner-up, {runner_up." name                            \
    ":%.80s}, is the best with a probability of {runner_up.probability * 100:%.0f} % and costs "   \
    "{runner_up." loss ":share} on average.]"                                                      \
    "[{?!runner_up.probability + 1} The runner-up, {runner_up." name                               \
    ":%.80s}, [{?runner_up.slower}takes {runner_up.slower:share} longer]"                          \
    "[{?!runner_up.slower}is as fast].]"

/* How far parameters may be off. */
#define SENSITIVITY "[*sensitivity: {text}]"

#define HOW_SURE "How sure:"

/* How sure the tree is: by draws of the parameters, or by how far they may be off. */
static void tell_tree_sureness(struct page *p, const json_t *design)
{
    const struct tan_place at = {.document = design, .entry = design};
    char text[SURENESS];
    tan_page_tell(p, design,
                  "{?probability + 1}{?tied - 1}{tied:%.0f} trees tie: none of them is "
                  "significantly slower than the fastest, and this is the one with the fewest "
                  "processes, unless that may lose more.");
    tan_place_text(&at,
                   "[{?!probability + 1}" HOW_SURE "][{?probability + 1}It is the best of "
                   "[{best_of}][{?!best_of}all trees]][{?0.01 - probability} in less than 1 % of "
                   "the draws; it is {best.mean_loss:share} slower than the best one on average.]"
                   "[{?!0.01 - probability} with a probability of {probability * 100:%.0f} %, if "
                   "waves cost what the model says.]" RUNNER_UP("topo", "mean_loss") SENSITIVITY,
                   text, sizeof text);
    if (strcmp(text, HOW_SURE) != 0) {
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
                    tan_page_untrusted(json_is_false(json_object_get(s->document, "trustworthy"))));
    tell_tree_sureness(p, s->document);
    tan_page_tell(p, s->document,
                  "A tree of any shape would take {any_shape.wave_us:us}, {any_shape.less:share} "
                  "less.");
    tell_rules(p, s->document);
    tan_page_tell(p, s->document, OTHER("LogP, under which further children are free,", "logp"));
    tan_page_tell(p, s->document, OTHER("TAN, under which nothing overlaps,", "tan"));
    tan_page_tell(p, s->document, OTHER("LogGPO as published", "loggpo"));
    if (!tan_page_tell(p, s->document,
                       "{?!sensitivity}It stays the fastest while a message is under way for "
                       "{fastest_while_L_us.min:%.4g} to {fastest_while_L_us.max:%.4g} us.")) {
        tan_page_tell(p, s->document,
                      "{?flat_until - 1}Up to {flat_until:%.0f} leaves no tree is faster than a "
                      "flat one.");
    }
    draw_best(p, best, json_object_get(s->document, "figures"));
    tan_show_figures(p, s->document, levels_figure);
    if (leaves >= 2.0) {
        tan_show_figures(p, s->document, fanout_figures);
    }
    tan_show_figures(p, s->document, design_figures);
}

/* The worst placement of the recommended tree, or else the slowest of all choices. */
static void tell_worst_placement(struct page *p, const json_t *document)
{
    const json_t *choices = tan_array_of(document, "choices");
    const json_t *best = json_array_get(choices, 0);
    const json_t *worst = best;
    for (size_t i = 1; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        if (strcmp(tan_text_of(choice, "topo"), tan_text_of(best, "topo")) == 0 &&
            tan_number_of(choice, "wave_us") > tan_number_of(worst, "wave_us")) {
            worst = choice;
        }
    }
    if (worst != best) {
        tan_page_tell(p, worst,
                      "With the placement \"{placement:%.20s}\" the same tree takes {wave_us:us}.");
    } else {
        tan_page_tell(p, document,
                      "{?choices - 1}The slowest of {choices} trees and placements, "
                      "{choices.-1.topo:%.80s} placed \"{choices.-1.placement:%.20s}\", takes "
                      "{choices.-1.wave_us:us}.");
    }
}

static const struct tan_figure hosted_figures[] = {
    {"placements", "Wave time, by tree and placement", "wave, us", NULL, "",
     "Predicted waves with their 95 % intervals where they are known. What overlaps with the "
     "first row may be as fast.",
     .names = {'y', "choices", "{topo:%.40s}, {placement:%.16s}", 0},
     .rows = {{TAN_SPAN, "95 % interval", "choices", .value = {"#", "ci95.0", "ci95.1"}},
              {TAN_POINTS, "predicted", "choices", .value = {"wave_us", "#"}}},
     .most = 24},
    {.name = NULL}};

void tan_show_hosted(struct page *p, const struct source *s)
{
    const json_t *tree = json_object_get(json_object_get(s->document, "figures"), "tree");
    tan_page_section(p, "Trees and their places on hosts", s->name);
    tan_page_tell(p, s->document,
                  "Use {choices.0.topo:%.80s} with the placement \"{choices.0.placement:%.20s}\", "
                  "on {choices.0.hosts:%.0f} hosts[{?choices.0.racks - 1} in "
                  "{choices.0.racks:%.0f} racks]: {choices.0.wave_us:us} a wave" TAN_UNTRUSTED ".");
    tan_page_tell(p, s->document, "\"{choices.0.placement}\" means: {figures.placement}.");
    tell_worst_placement(p, s->document);
    tan_show_figures(p, s->document, hosted_figures);
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
     .names = {'x', "trees", "{topo:%.30s}", 0},
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
#define AGAINST                                                                                    \
    "[{?!best_tree}{priced}]"                                                                      \
    "[{?best_tree}[{?!slower abs - 0.0005}as fast as with]"                                        \
    "[{?slower abs - 0.0005}[{?1 - slower}{slower abs:share} [{?slower}more][{?!slower}less] "     \
    "than with][{?!1 - slower}{slower + 1:%.3g} times that of]] "                                  \
    "the best tree of [{best_tree.of}][{?!best_tree.of}all]]"

/* What the default costs more than the setting. */
#define STAKE                                                                                      \
    "[ The default, {default_algorithm:%.60s}, is not predicted.]"                                 \
    "[{?!default_algorithm}{?untold.wave_us}{?wave_us} The default, {untold.setting:%.60s}, "      \
    "[{?untold.wave_us / wave_us - 1.0005}takes {untold.wave_us:us}: at stake are "                \
    "{untold.wave_us - wave_us:us} a wave ({untold.wave_us / wave_us - 1:slower})]"                \
    "[{?wave_us / untold.wave_us - 1.0005}takes {untold.wave_us:us} without failures]"             \
    "[{?!untold.wave_us / wave_us - 1.0005}{?!wave_us / untold.wave_us - 1.0005}is as fast].]"

/* The setting of one direction, or of both, and what the default costs. */
static void tell_setting(struct page *p, const json_t *document, const json_t *way)
{
    const struct tan_place at = {
        .document = json_object_get(document, "target"), .each = document, .entry = way};
    tan_page_tell_at(p, &at,
                     "[{?!/given}For ][{/asked}][{?!/asked}{/name}]"
                     "[ ([{/title:%.80s}, ]{/members|/leaves:%.0f} {/counts:%.100s})]"
                     "[{?/given} with][{?!/given} use] {setting}: {wave_us:us} a wave"
                     "[ (95 % interval {wave_ci95_us.0:us} to {wave_ci95_us.1:us})], " AGAINST
                     "[{?1 - .trustworthy} (not trustworthy: see the doubts)]." STAKE
                     "[ {least_expected.text:%.600s}][ {break_even.text:%.600s}]");
}

/* Append how sure the setting of one direction is. */
static void add_sureness(const json_t *way, char *text, size_t size)
{
    const struct tan_place at = {.document = way, .entry = way};
    tan_place_text(&at,
                   "[ {setting:%.60s} [{?failure_by_setting.0.expected_us}has the least expected "
                   "wave][{?!failure_by_setting.0.expected_us}is the best setting] with a "
                   "probability of "
                   "{probability * 100:%.0f} %, if waves cost what the model says; choosing it "
                   "costs {mean_regret:share} on average and at most {regret_95:share} in 95 of "
                   "100 cases.]" SENSITIVITY RUNNER_UP("setting", "mean_regret"),
                   text + strlen(text), size - strlen(text));
}

/* What would settle the rest, the first that holds; with the model as the key of its place. */
static const char *const settles[] = {
    "{?/machine.default} These are another cluster's parameters: tanbench calibrate on yours "
    "settles it.",
    "{?!probability + 1 & !down.probability + 1} The parameters have no error bars. Those that "
    "tan-fit finds from times of the system itself have them, as do those of tanbench calibrate, "
    "which measures processes of MPI.",
    "{?/machine.check.mean_abs_error.@ + 1 * wave_us - untold.wave_us} The model errs by "
    "{/machine.check.mean_abs_error.@:share} on trees that its fit left out, which is more than "
    "the default costs: time the system with both settings.",
    "{?!probability min down.probability - 0.95} Further launches (tanbench calibrate --launches "
    "5), or waves of further trees for tan-fit, settle it.",
    "",
};

/* How sure the settings are, and what would settle the rest. */
static void tell_sureness(struct page *p, const json_t *document, const json_t *const way[2])
{
    const struct tan_place at = {
        .document = document, .entry = way[0], .key = tan_text_of(document, "model")};
    char text[SURENESS] = HOW_SURE;
    char rest[400];
    add_sureness(way[0], text, sizeof text);
    add_sureness(way[1], text, sizeof text);
    for (size_t i = 0; !tan_place_text(&at, settles[i], rest, sizeof rest); i++) {
    }
    tan_page_answer(p, "%s%s", strcmp(text, HOW_SURE) == 0 ? "How sure is unknown." : text, rest);
}

#define ROLE      "[{?.given}given][{?!.given}recommended]"
#define CHOICE(a) "The " ROLE " " a

/* Of one direction of a target, which is `each`. */
static const struct tan_figure setting_figures[] = {
    {"values", "Wave time, by {by_value.setting:name}", "{by_value.setting:name}", "wave, us", "xy",
     CHOICE("value, the default, what the system's documents advise, and others with less than "
            "three times the wave time. Where the curve is flat, neighbours are as good. The line "
            "joins the values that were evaluated, all up to 14 and further ones 7 % apart; "
            "between them waves may be longer."),
     .rows = {{TAN_LINE, "values evaluated", "by_value.value", .value = {"", "/by_value.wave_us"},
               .only = "/wave_us * 3 - /by_value.wave_us"},
              {TAN_POINTS, ROLE, "", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting"},
              {TAN_POINTS, "default", "untold", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting"},
              {TAN_POINTS, "{.rule}", ".", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting & !rule=default", .each = ".advised"}}},
    {"settings", "Wave time, by setting", "wave, us", NULL, "",
     CHOICE("setting with its 95 % interval if known, the best value of each other setting, the "
            "default, and what the system's documents advise."),
     .names = {'y', .least = 2},
     .rows = {{TAN_SPAN, "95 % interval", "", .value = {"1", "wave_ci95_us.0", "wave_ci95_us.1"}},
              {TAN_POINTS, "predicted", "", .value = {"wave_us", "$"},
               .name = "{setting:%.40s}, " ROLE},
              {.list = "others", .value = {"wave_us", "$"}, .name = "{setting:%.40s}"},
              {.list = "untold", .value = {"wave_us", "$"}, .name = "{setting:%.40s}, default"},
              {.list = ".advised",
               .value = {"wave_us", "$"},
               .only = "!rule=default",
               .name = "{setting:%.40s}, advised"}},
     .most = 20},
    {.name = NULL}};

void tan_show_target(struct page *p, const struct source *s)
{
    const json_t *target = json_object_get(s->document, "target");
    const json_t *const way[2] = {target, json_object_get(target, "down")};
    const char *configuration = tan_text_of(target, "configuration");
    const char *failure = tan_text_of(target, "failure");
    tan_page_section(p, "Setting of a system", s->name);
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        tell_setting(p, s->document, way[i]);
    }
    tell_sureness(p, s->document, way);
    if (strlen(configuration) < LISTED) {
        tan_page_listing(p, configuration);
    }
    if (*failure != '\0') {
        tan_page_remark(p, "If a process fails: %.700s", failure);
    }
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        const struct tan_place at = {.document = way[i], .each = target, .entry = way[i]};
        tan_show_figures_at(p, &at, setting_figures);
    }
    draw_parents(p, target, "parents", "critical");
    draw_parents(p, target, "down_parents", "down_critical");
}

/* The largest gain from configuring a system. */
static void tell_systems(struct page *p, const json_t *targets)
{
    const json_t *gains = tan_least_of(targets, "wave_us / untold.wave_us");
    if (!tan_page_tell(p, gains,
                       "{?untold.wave_us - wave_us}{name:%.40s} gains most: {setting:%.40s} makes "
                       "waves {untold.wave_us / wave_us:%.3g} times as fast as its default.")) {
        tan_page_answer(p, "No system gains by another setting than its default.");
    }
}

static const struct tan_figure target_figures[] = {
    {"targets", "Wave time, by system", "wave, us", NULL, "x",
     "The best setting of each system and what it does by default. A wave is half a round trip, or "
     "goes one way, as the system's operation does. Marks at one place are equally fast; a system "
     "whose default is far right gains from configuration.",
     .names = {'y', "targets", "{name:%.20s}[{?!direction=both}, {direction:%.8s}]", 0},
     .rows = {{TAN_POINTS, "best setting", "targets", .value = {"wave_us", "#"}},
              {TAN_POINTS, "default", "targets", .value = {"untold.wave_us", "#"}}}},
    {.name = NULL}};

void tan_show_targets(struct page *p, const struct source *s)
{
    const json_t *targets = tan_array_of(s->document, "targets");
    tan_page_section(p, "Systems that build the tree", s->name);
    tell_systems(p, targets);
    tan_show_figures(p, s->document, target_figures);
}
