/* design_figures.c - figures of recommendations: trees, settings, placements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/kinds.h"

#define PARAMETER                                                                                  \
    "[{?parameter=L_us}L, latency][{?parameter=a_us}a, a message][{?parameter=o_s_us}o_s, "        \
    "sending][{?parameter=b_us}b, a child][{?parameter=o_r_us}o_r, receiving]"                     \
    "[{?parameter=c_us}c, crowding]"

const struct tan_figure tan_design_figures[] = {
    {"fanout", "Wave time, by largest fanout", "children of a process, at most", "wave, us", "xy",
     "The trees of the table, and trees whose processes have at most so many children, spread "
     "evenly.",
     .rows = {{TAN_STEPS, "spread evenly", "figures.by_fanout.max_fanout",
               .value = {"", "/figures.by_fanout.wave_us"}},
              {TAN_POINTS, "{.name:%.24s}[{?!.rank}, the best]", ".",
               .value = {"children", "wave_us"}, .only = "8 - rank", .each = "answer.rows"}},
     .only = "leaves - 1"},
    {"leaves", "Wave time, by number of leaves", "leaves", "wave, us", "xy",
     "The best tree for each number of leaves, and what simple rules build. Where the flat tree "
     "leaves the lowest line, trees begin to pay.",
     .rows = {{TAN_LINE, "best tree", "figures.by_leaves.leaves",
               .value = {"", "/figures.by_leaves.best_us"}},
              {TAN_DASHES, "{.name}", "figures.by_leaves.leaves", .value = {"", ".wave_us"},
               .each = "figures.by_leaves.rules"},
              {TAN_POINTS, "flat tree overtaken", "figures.by_leaves.rules",
               .value = {"beats_flat.leaves", "beats_flat.flat_us"}},
              {TAN_POINTS, "{/leaves:%.0f} leaves", "figures.by_leaves.leaves",
               .value = {"", "/figures.by_leaves.best_us"}, .only = "~/leaves"}}},
    {"sensitivities", "What moves the wave time", "change of the wave time, %", NULL, "",
     "How much slower or faster a wave over the recommended tree is when one parameter is a tenth "
     "larger or smaller. The longest bar is what to measure well, and to improve first.",
     .rows = {{TAN_SPAN, "a tenth more or less", "figures.by_parameter",
               .value = {"$", "0 - tenth_more * 100", "tenth_more * 100"}, .name = PARAMETER}}},
    {.name = NULL}};

const struct tan_figure tan_hosted_figures[] = {
    {"placements", "Wave time, by tree and placement", "wave, us", NULL, "",
     "Predicted waves with their 95 % intervals where they are known. What overlaps with the "
     "first row may be as fast.",
     .names = {'y', "choices", "{topo:%.40s}, {placement:%.16s}"},
     .rows = {{TAN_SPAN, "95 % interval", "choices", .value = {"#", "ci95.0", "ci95.1"}},
              {TAN_POINTS, "predicted", "choices", .value = {"wave_us", "#"}}},
     .most = 12},
    {.name = NULL}};

const struct tan_figure tan_fanouts_figures[] = {
    {"costs", "Cost of a level, by fanout", "children", "time, us", "xy",
     "What a level of the tree takes, with its 95 % interval, and its share for each child, which "
     "is least where a fanout uses its level best; and a wave over the tree for these leaves whose "
     "processes have at most this many children.",
     .rows = {{TAN_INTERVALS, "a level", "fanouts",
               .value = {"fanout", "level_us", "ci95_us.0|level_us", "ci95_us.1|level_us"}},
              {TAN_POINTS, "each child", "fanouts", .value = {"fanout", "per_child_us"}},
              {TAN_POINTS, "wave", "fanouts", .value = {"fanout", "tree.wave_us"}}}},
    {.name = NULL}};

#define FRONT(mark, title, cost)                                                                   \
    {                                                                                              \
        mark, title, "trees", .value = {cost, "wave_us"}, .only = "/against=" cost                 \
    }

const struct tan_figure tan_pareto_figures[] = {
    {"pareto", "Trees to which no other is preferable",
     "[{?against=most_lost}leaves that a process takes with it][{?!against=most_lost}processes]",
     "wave, us", "xy",
     "Each step is a tree: whoever wants a faster one has to start more processes, or loses more "
     "leaves when one fails.",
     .rows = {FRONT(TAN_STEPS, "", "processes"), FRONT(TAN_POINTS, "a tree", "processes"),
              FRONT(TAN_STEPS, "", "most_lost"), FRONT(TAN_POINTS, "a tree", "most_lost")}},
    {.name = NULL}};

#define PREDICTED(model)                                                                           \
    {                                                                                              \
        TAN_POINTS, model, "trees", .value = { "#", "wave_us." model }                             \
    }

const struct tan_figure tan_predict_figures[] = {
    {"predicted", "Predicted waves, by tree and model", NULL, "wave, us", "y",
     "A mark for each model. Where they are apart, the fanout of the tree is what they disagree "
     "about.",
     .names = {'x', "trees", "{topo:%.30s}"},
     .rows = {PREDICTED("tan"), PREDICTED("logp"), PREDICTED("logp-serial"),
              PREDICTED("tan-overlap")},
     .most = 24},
    {.name = NULL}};

const struct tan_figure tan_targets_figures[] = {
    {"targets", "Wave time, by system", "wave, us", NULL, "x",
     "The best setting of each system and what it does by default. A wave is half a round trip, or "
     "goes one way, as the system's operation does. Marks at one place are equally fast; a system "
     "whose default is far right gains from configuration.",
     .names = {'y', "targets", "{name:%.20s}[{?!direction=both}, {direction:%.8s}]"},
     .rows = {{TAN_POINTS, "best setting", "targets", .value = {"wave_us", "#"}},
              {TAN_POINTS, "default", "targets", .value = {"default.wave_us", "#"}}}},
    {.name = NULL}};

#define ROLE      "[{?.given}given][{?!.given}recommended]"
#define CHOICE(a) "The " ROLE " " a

/* Of one direction of a target, which is `each`. */
static const struct tan_figure setting_figures[] = {
    {"values", "Wave time, by {by_value.setting:name}", "{by_value.setting:name}", "wave, us", "xy",
     CHOICE("value, the default and what is advised, and all with less than three times the wave "
            "time. The line joins values that were evaluated, from 14 on 7 % apart; between them "
            "waves may be longer."),
     .rows = {{TAN_LINE, "values evaluated", "by_value.value", .value = {"", "/by_value.wave_us"},
               .only = "/wave_us * 3 - /by_value.wave_us"},
              {TAN_POINTS, ROLE, "", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting"},
              {TAN_POINTS, "default", "default", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting"},
              {TAN_POINTS, "{.rule}", ".", .value = {"setting", "wave_us"},
               .only = "setting~/by_value.setting & !rule=default", .each = ".advised"}}},
    /* of a system without such a curve */
    {"settings", "Wave time, by setting", "wave, us", NULL, "x",
     CHOICE("setting with its 95 % interval if known, the best value of each other setting, the "
            "default, and what the system's documents advise."),
     .rows = {{TAN_SPAN, "95 % interval", "", .value = {"1", "wave_ci95_us.0", "wave_ci95_us.1"},
               .only = "!/by_value"},
              {TAN_POINTS, "predicted", "", .value = {"wave_us", "$"}, .only = "!/by_value",
               .name = "{setting:%.40s}, " ROLE},
              {.list = "others",
               .value = {"wave_us", "$"},
               .only = "!/by_value",
               .name = "{setting:%.40s}"},
              {.list = "default",
               .value = {"wave_us", "$"},
               .only = "!/by_value",
               .name = "{setting:%.40s}, default"},
              {.list = ".advised",
               .value = {"wave_us", "$"},
               .only = "!/by_value & !rule=default",
               .name = "{setting:%.40s}, advised"}},
     .most = 20, .least = 2},
    {.name = NULL}};

void tan_show_target(struct page *p, const json_t *document)
{
    const json_t *target = json_object_get(document, "target");
    const json_t *const way[2] = {target, json_object_get(target, "down")};
    for (int i = 0; i < 2 && way[i] != NULL; i++) {
        const struct tan_place at = {.document = way[i], .each = target, .entry = way[i]};
        tan_show_figures_at(p, &at, setting_figures);
    }
}
