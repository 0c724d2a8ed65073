/* design_figures.c - figures of recommendations: fanouts, numbers of leaves, levels, certainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"

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
               .name = PARAMETER}}},
    {.name = NULL}};

void tan_show_design(struct page *p, const struct source *s)
{
    const double leaves = tan_number_of(s->document, "leaves");
    tan_page_section(p, "Recommended tree", s->name);
    tan_page_reply(p, s->document);
    if (leaves >= 2.0) {
        tan_show_figures(p, s->document, fanout_figures);
    }
    tan_show_figures(p, s->document, design_figures);
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
    tan_page_section(p, "Trees and their places on hosts", s->name);
    tan_page_reply(p, s->document);
    tan_show_figures(p, s->document, hosted_figures);
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
    tan_page_section(p, "Costs of fanouts", s->name);
    tan_page_reply(p, s->document);
    tan_show_figures(p, s->document, cost_figures);
}

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
    tan_page_reply(p, s->document);
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
    tan_page_reply(p, s->document);
    tan_show_figures(p, s->document, predicted_figures);
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
    tan_page_section(p, "Setting of a system", s->name);
    tan_page_reply(p, s->document);
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        const struct tan_place at = {.document = way[i], .each = target, .entry = way[i]};
        tan_show_figures_at(p, &at, setting_figures);
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
    tan_page_section(p, "Systems that build the tree", s->name);
    tan_page_reply(p, s->document);
    tan_show_figures(p, s->document, target_figures);
}

void tan_show_reply(struct page *p, const struct source *s)
{
    tan_page_section(p, tan_page_kind(s->document), s->name);
    tan_page_reply(p, s->document);
}
