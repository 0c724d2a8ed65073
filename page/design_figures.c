/* design_figures.c - figures of recommendations: trees and settings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/rows.h"

#define PARAMETER                                                                                  \
    "[{?parameter=L_us}L, latency][{?parameter=a_us}a, a message][{?parameter=o_s_us}o_s, "        \
    "sending][{?parameter=b_us}b, a child][{?parameter=o_r_us}o_r, receiving]"                     \
    "[{?parameter=c_us}c, crowding]"

const struct tan_figure tan_design_figures[] = {
    {"fanout", "Wave time, by largest fanout", NULL, "children of a process, at most", "wave, us",
     "xy",
     "The trees of the table, and trees whose processes have at most so many children, spread "
     "evenly.",
     .rows = {{TAN_STEPS, "spread evenly", "figures.by_fanout.max_fanout",
               .value = {"", "/figures.by_fanout.wave_us"}},
              {TAN_POINTS, "{.name:%.24s}[{?!.rank}, the best]", ".",
               .value = {"children", "wave_us"}, .only = "8 - rank", .each = "answer.rows"}},
     .only = "leaves - 1"},
    {"leaves", "Wave time, by number of leaves", NULL, "leaves", "wave, us", "xy",
     "The best tree of even levels for each number of leaves, and what simple rules build. Where "
     "the flat tree leaves the lowest line, trees begin to pay.",
     .rows = {{TAN_LINE, "best of even levels", "figures.by_leaves.leaves",
               .value = {"", "/figures.by_leaves.best_us"}},
              {TAN_DASHES, "{.name}", "figures.by_leaves.leaves", .value = {"", ".wave_us"},
               .each = "figures.by_leaves.rules"},
              {TAN_POINTS, "flat tree overtaken", "figures.by_leaves.rules",
               .value = {"beats_flat.leaves", "beats_flat.flat_us"}},
              {TAN_POINTS, "{/leaves:%.0f} leaves", "figures.by_leaves.leaves",
               .value = {"", "/figures.by_leaves.best_us"}, .only = "~/leaves"}}},
    {"sensitivities", "What moves the wave time", NULL, "change of the wave time, %", NULL, "",
     "How much slower or faster a wave over the recommended tree is when one parameter is a tenth "
     "larger or smaller. The longest bar is what to measure well, and to improve first.",
     .rows = {{TAN_SPAN, "a tenth more or less", "figures.by_parameter",
               .value = {"$", "0 - tenth_more * 100", "tenth_more * 100"}, .name = PARAMETER}}},
    {.name = NULL}};

#define FRONT(mark, title, cost)                                                                   \
    {                                                                                              \
        mark, title, "trees", .value = {cost, "wave_us"}, .only = "/against=" cost                 \
    }

const struct tan_figure tan_pareto_figures[] = {
    {"pareto", "Trees to which no other is preferable", NULL,
     "[{?against=most_lost}leaves that a process takes with it][{?!against=most_lost}processes]",
     "wave, us", "xy",
     "Each step is a tree: whoever wants a faster one has to start more processes, or loses more "
     "leaves when one fails.",
     .rows = {FRONT(TAN_STEPS, "", "processes"), FRONT(TAN_POINTS, "a tree", "processes"),
              FRONT(TAN_STEPS, "", "most_lost"), FRONT(TAN_POINTS, "a tree", "most_lost")}},
    {.name = NULL}};

/* Of each direction of a target that has such a curve. */
#define ROLE "[{?.target.given}given][{?!.target.given}recommended]"
#define VALUES(path)                                                                               \
    {                                                                                              \
        "values", "Wave time, by {by_value.setting:name}", path, "{by_value.setting:name}",        \
            "wave, us", "xy",                                                                      \
            "The " ROLE " value, the default and what is advised, and all with less than three "   \
            "times the wave time. The line joins values that were evaluated, from 14 on 7 % "      \
            "apart; between them waves may be longer.",                                            \
            .rows = {                                                                              \
                {TAN_LINE, "values evaluated", "by_value.value",                                   \
                 .value = {"", "/by_value.wave_us"}, .only = "/wave_us * 3 - /by_value.wave_us"},  \
                {TAN_POINTS, ROLE, "", .value = {"setting", "wave_us"},                            \
                 .only = "setting~/by_value.setting"},                                             \
                {TAN_POINTS, "default", "default", .value = {"setting", "wave_us"},                \
                 .only = "setting~/by_value.setting"},                                             \
                {TAN_POINTS, "{.rule}", ".", .value = {"setting", "wave_us"},                      \
                 .only = "setting~/by_value.setting & !rule=default", .each = "/advised"}          \
            }                                                                                      \
    }

const struct tan_figure tan_target_figures[] = {
    VALUES("target"), VALUES("target.down"), {.name = NULL}};
