/* results_figures.c - tables and figures of measured waves, and those of the TAN paper
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groves, Gutierrez, Arnold: A LogP Extension for Modeling Tree Aggregation Networks (CLUSTER
 * 2015). Its figures have the paper's titles, axes and order of curves. */
#include "page/rows.h"

/* Sizes of messages are named where they are not that of the first tree. */
#define FIRST_SIZE "bytes~/cells.0.bytes"
#define TREE       "{topo:%.40s}[{?!" FIRST_SIZE "}, {bytes:size}]"

#define MEDIAN(unit)                                                                               \
    "wave_us.median" unit, "wave_us.ci95.0|wave_us.median" unit,                                   \
        "wave_us.ci95.1|wave_us.median" unit

/* Few are beside the answer. */
#define TREES_TABLE(if_so)                                                                         \
    {                                                                                              \
        "Trees[, messages of {/cells.0.bytes:size}[{?cells%bytes - 1} unless named]]", "cells",    \
            .only = if_so, .column = {                                                             \
                {"tree", TREE},                                                                    \
                {"measured us", "{wave_us.median:%.4g}"},                                          \
                {"95 %", "{wave_us.ci95.0:%.4g} to {wave_us.ci95.1:%.4g}"},                        \
                {"LogP us", "{predicted_us.logp:%.4g}[ ({error.logp * 100:%+.1f} %)]"},            \
                {"TAN us", "{predicted_us.tan:%.4g}[ ({error.tan * 100:%+.1f} %)]"},               \
                {"tan-overlap us",                                                                 \
                 "{predicted_us.tan-overlap:%.4g}[ ({error.tan-overlap * 100:%+.1f} %)]"},         \
                {"waves/s", "{stream.rate_per_s:%.4g}"},                                           \
            }                                                                                      \
    }

#define ERRORS(on, models)                                                                         \
    {                                                                                              \
        "Errors of the models on " on, models, .column = {                                         \
            {"model", "{@}"},                                                                      \
            {"n", "{trees:%.0f}"},                                                                 \
            {"mean |error|", "{mean_abs_error * 100:%.1f} %"},                                     \
            {"median", "{median_abs_error * 100:%.1f} %"},                                         \
            {"worst", "{worst_abs_error * 100:%.1f} %"},                                           \
            {"bias", "{mean_error * 100:%+.1f} %"},                                                \
            {"tau", "{kendall_tau:%.2f}"},                                                         \
            {"regret", "[{?!1 - regret}{regret:slower}][{?1 - regret}{regret * 100:%.1f} %]"},     \
        }                                                                                          \
    }

const struct tan_listing tan_results_tables[] = {
    ERRORS("random trees, which no fit has seen", "models"),
    TREES_TABLE("9 - cells"),
    {.title = NULL}};

const struct tan_listing tan_results_folded[] = {
    TREES_TABLE("cells - 8"),
    ERRORS("trees of named shapes, which no fit has seen but the binomial one", "named"),
    ERRORS("chains and N-to-1 trees, the shapes of fits", "reference_models"),
    {.title = NULL}};

/* A model looks the same in all figures: in the first style measured times are drawn. */
#define PREDICTED(model, number)                                                                   \
    {                                                                                              \
        TAN_POINTS, model, "cells", .value = {"wave_us.median", "predicted_us." model},            \
                                    .style = number                                                \
    }

/* Trees of one shape, by the number in their names. */
#define SHAPE(shape)                                                                               \
    .rows = {{TAN_INTERVALS, "measured[, {bytes:size}]", "cells", .value = {"topo", MEDIAN("")},   \
              .only = "topo=" shape, .by = "bytes", .style = 0},                                   \
             {TAN_POINTS, "tan", "cells", .value = {"topo", "predicted_us.tan"},                   \
              .only = "topo=" shape " & " FIRST_SIZE, .style = 2},                                 \
             {TAN_POINTS, "logp", "cells", .value = {"topo", "predicted_us.logp"},                 \
              .only = "topo=" shape " & " FIRST_SIZE, .style = 3},                                 \
             {TAN_POINTS, "tan-overlap", "cells", .value = {"topo", "predicted_us.tan-overlap"},   \
              .only = "topo=" shape " & " FIRST_SIZE, .style = 5}},                                \
    .least = 2

const struct tan_figure tan_results_figures[] = {
    {"predictions", "Predicted against measured waves", NULL, "measured, us", "predicted, us", "xy",
     "A mark for each topology and model. On the diagonal predictions are exact; below it waves "
     "took longer than predicted.",
     .rows = {PREDICTED("tan", 2), PREDICTED("logp", 3), PREDICTED("logp-serial", 4),
              PREDICTED("tan-overlap", 5)},
     .most = 500, .only = "cells - 8", .diagonal = true}, /* few are in the table */
    {"streams", "Waves a second, by topology", NULL, "waves a second", NULL, "x",
     "What each tree sustains while its leaves send without waiting for answers. Marks: the mean "
     "over the whole time; bars: the 95 % interval of the median over slices of it. A mark left of "
     "its bar means that there were pauses.",
     .names = {'y', "cells", TREE},
     .rows = {{TAN_SPAN, "median, 95 % interval", "cells",
               .value = {"#", "stream.rate_ci95_per_s.0", "stream.rate_ci95_per_s.1"}},
              {TAN_POINTS, "mean", "cells", .value = {"stream.rate_per_s", "#"}}},
     .most = 32},
    {"distributions", "Round trips halved, by topology", NULL, "wave, us", NULL, "x",
     "Each box spans the middle half of all waves, its whiskers 5 to 95 %; the point is the "
     "median, with its 95 % interval if known. Over several passes it is the median of their "
     "medians, which may lie outside the box. Medians whose intervals do not overlap differ.",
     .rows = {{TAN_BOX, "", "cells",
               .value = {"$", "wave_us.p5", "wave_us.p25", "wave_us.median", "wave_us.p75",
                         "wave_us.p95", "wave_us.ci95.0|wave_us.median",
                         "wave_us.ci95.1|wave_us.median"},
               .name = TREE}},
     .most = 32, .only = "!environment.simulated"},
    {"series-nto1", "N-to-1 trees, by fanout", NULL, "children of the root", "wave, us", "xy",
     "Medians of the waves[{?!environment.simulated} with their 95 % intervals].", SHAPE("nto1:")},
    {"series-chain", "Chains, by height", NULL, "links of the chain", "wave, us", "xy",
     "Medians of the waves[{?!environment.simulated} with their 95 % intervals].", SHAPE("chain:")},
    {.name = NULL}};

/* Four trees with that many leaves, measured and by both models, side by side. */
#define TREES(number, leaves)                                                                      \
    {                                                                                              \
        "paper-figure-" number,                                                                    \
            "Figure " number ": time of a single wave for 4 topologies with " leaves               \
            " leaf nodes",                                                                         \
            NULL, NULL, "time (ms)", "",                                                           \
            "Medians with their 95 % intervals, and what both models predict. The paper shows "    \
            "means of ten waves.",                                                                 \
            .names = {'x', "cells", "{topo:%.20s}"},                                               \
            .rows = {{TAN_INTERVALS, "observed", "cells",                                          \
                      .value = {"# - 0.15", MEDIAN(" / 1000")}},                                   \
                     {TAN_POINTS, "TAN", "cells", .value = {"#", "predicted_us.tan / 1000"}},      \
                     {TAN_POINTS, "LogP", "cells",                                                 \
                      .value = {"# + 0.15", "predicted_us.logp / 1000"}}},                         \
            .only = "!cells%leaves - 1 & cells.0.leaves~" leaves                                   \
    }

#define CURVE(title, model, only_if)                                                               \
    {                                                                                              \
        TAN_LINE, title, "cells", .value = {"topo", "predicted_us." model " / 1000"},              \
                                  .only = only_if                                                  \
    }
#define OBSERVED(only_if)                                                                          \
    {                                                                                              \
        TAN_POINTS, "observed", "cells", .value = {"topo", "wave_us.median / 1000"},               \
                                         .only = only_if                                           \
    }

const struct tan_figure tan_paper_figures[] = {
    {"paper-figure-1", "Figure 1: cost of N-to-1 communication for varying packet sizes", NULL,
     "participants (N)", "time (ms)", "",
     "Contention becomes the bottleneck as the number of participants increases.",
     .rows = {{TAN_LINE, "{bytes / 1024:%.4g} KiB", "cells",
               .value = {"topo", "up_us.median|wave_us.median / 1000"},
               .only = "topo=nto1:", .by = "bytes"}},
     .least = 2, .only = "cells%bytes - 1"},
    {"paper-figure-2", "Figure 2: histogram of latency samples between two processes", NULL,
     "latency (ms)", "samples", "",
     "Half round trips; samples beyond three times the median are left out, as the paper left out "
     "its one outlier.",
     .rows = {{TAN_HISTOGRAM, "", ".samples_us", .value = {" / 2000"},
               .only = ".processes~2 & !.mode=oneway & ! / .wave_us.median - 6", .each = "cells"}},
     .most = 10000, .least = 80},
    {"paper-figure-4", "Figure 4: time of a single wave in a chain topology", NULL,
     "internal tree processes", "time (ms)", "", "Medians over an increasing number of processes.",
     .rows = {OBSERVED("topo=chain:"), CURVE("TAN", "tan", "topo=chain:")}, .least = 3},
    {"paper-figure-6", "Figure 6: a single wave in an N-to-1 topology", NULL, "leaf processes",
     "time (ms)", "",
     "Medians over an increasing number of leaf processes. The paper takes the latency and the "
     "leaf's own overhead off, which are the same for all.",
     .rows = {OBSERVED("topo=nto1:"), CURVE("TAN", "tan", "topo=nto1:"),
              CURVE("LogP", "logp", "topo=nto1:")},
     .least = 4, .only = "!cells%bytes - 1"},
    TREES("7", "32"),
    TREES("8", "128"),
    {.name = NULL}};
