/* results_figures.c - tables and figures of measured waves, and those of the TAN paper
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groves, Gutierrez, Arnold: A LogP Extension for Modeling Tree Aggregation Networks (CLUSTER
 * 2015). Its figures have the paper's titles, axes and order of curves. */
#include <stdio.h>

#include "page/kinds.h"

/* Sizes of messages are named where they are not that of the first tree. */
#define FIRST_SIZE "bytes~/cells.0.bytes"
#define TREE       "{topo:%.40s}[{?!" FIRST_SIZE "}, {bytes:size}]"

#define MEDIAN(unit)                                                                               \
    "wave_us.median" unit, "wave_us.ci95.0|wave_us.median" unit,                                   \
        "wave_us.ci95.1|wave_us.median" unit

static const struct tan_listing trees = {
    "Trees[, messages of {/cells.0.bytes:size}[{?cells%bytes - 1} unless named]]",
    "cells",
    200,
    {{"tree", TREE},
     {"measured us", "{wave_us.median:%.4g}"},
     {"95 %", "{wave_us.ci95.0:%.4g} to {wave_us.ci95.1:%.4g}"},
     {"TAN us", "{predicted_us.tan:%.4g}[ ({error.tan * 100:%+.1f} %)]"},
     {"LogP us", "{predicted_us.logp:%.4g}[ ({error.logp * 100:%+.1f} %)]"},
     {"tan-overlap us", "{predicted_us.tan-overlap:%.4g}[ ({error.tan-overlap * 100:%+.1f} %)]"},
     {"waves/s", "{stream.rate_per_s:%.4g}"},
     {"doubts and notes", "[*warnings:[{?# - 1}; ]{:%.60s}]"}}};

#define ERRORS(on, models)                                                                         \
    {                                                                                              \
        "Errors of the models on " on, models, 40,                                                 \
        {                                                                                          \
            {"model", "{@}"}, {"n", "{trees:%.0f}"},                                               \
                {"mean |error|", "{mean_abs_error * 100:%.1f} %"},                                 \
                {"median", "{median_abs_error * 100:%.1f} %"},                                     \
                {"worst", "{worst_abs_error * 100:%.1f} %"},                                       \
                {"bias", "{mean_error * 100:%+.1f} %"}, {"tau", "{kendall_tau:%.2f}"},             \
            {                                                                                      \
                "regret", "[{?!1 - regret}{regret:slower}][{?1 - regret}{regret * 100:%.1f} %]"    \
            }                                                                                      \
        }                                                                                          \
    }

static const struct tan_listing errors[] = {
    ERRORS("random trees, which no fit has seen", "models"),
    ERRORS("trees of named shapes, which no fit has seen but the binomial one", "named"),
    ERRORS("chains and N-to-1 trees, the shapes of fits", "reference_models"),
};

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
              .only = "topo=" shape " & " FIRST_SIZE, .style = 3}},                                \
    .least = 2

static const struct tan_figure figures[] = {
    {"predictions", "Predicted against measured waves", "measured, us", "predicted, us", "xy",
     "A mark for each topology and model. On the diagonal predictions are exact; below it waves "
     "took longer than predicted.",
     .rows = {PREDICTED("tan", 2), PREDICTED("logp", 3), PREDICTED("logp-serial", 4),
              PREDICTED("tan-overlap", 5)},
     .most = 500, .diagonal = true},
    {"streams", "Waves a second, by topology", "waves a second", NULL, "x",
     "What each tree sustains while its leaves send without waiting for answers. Marks: the mean "
     "over the whole time; bars: the 95 % interval of the median over slices of it. A mark left of "
     "its bar means that there were pauses.",
     .names = {'y', "cells", TREE},
     .rows = {{TAN_SPAN, "median, 95 % interval", "cells",
               .value = {"#", "stream.rate_ci95_per_s.0", "stream.rate_ci95_per_s.1"}},
              {TAN_POINTS, "mean", "cells", .value = {"stream.rate_per_s", "#"}}},
     .most = 32},
    {"distributions", "Round trips halved, by topology", "wave, us", NULL, "x",
     "Each box spans the middle half of all waves, its whiskers 5 to 95 %; the point is the "
     "median, with its 95 % interval if known. Over several passes it is the median of their "
     "medians, which may lie outside the box. Medians whose intervals do not overlap differ.",
     .rows = {{TAN_BOX, "", "cells",
               .value = {"$", "wave_us.p5", "wave_us.p25", "wave_us.median", "wave_us.p75",
                         "wave_us.p95", "wave_us.ci95.0|wave_us.median",
                         "wave_us.ci95.1|wave_us.median"},
               .name = TREE}},
     .most = 32},
    {"series-nto1", "N-to-1 trees, by fanout", "children of the root", "wave, us", "xy",
     "Medians of the waves with their 95 % intervals.", SHAPE("nto1:")},
    {"series-chain", "Chains, by height", "links of the chain", "wave, us", "xy",
     "Medians of the waves with their 95 % intervals.", SHAPE("chain:")},
    {.name = NULL}};

/* Trees with as many leaves, more than one, and messages of the same size as `each`. */
#define RIVALS "leaves~.leaves & bytes~.bytes & leaves - 1 & wave_us.median"

/* Of the trees with the most leaves, and messages of the size of the first of them, the fastest,
 * how sure that is, and which one the models would choose. */
static void tell_fastest(struct page *p, const json_t *document)
{
    static const char *const models[] = {"tan", "logp"};
    const size_t n = json_array_size(tan_array_of(document, "cells"));
    const struct tan_place at = {.document = document, .entry = document};
    struct tan_place fastest = at;
    if (n == 1) {
        tan_least_of(&fastest, "cells", "wave_us.median", NULL);
        tan_page_tell_at(p, &fastest,
                         "{topo:%.80s} takes {wave_us.median:us} a wave" TAN_UNTRUSTED ".");
        return;
    }
    struct tan_place first = at;
    tan_least_of(&first, "cells", "0 - leaves", "wave_us.median & leaves - 1");
    struct tan_place race = {.document = document, .entry = document, .each = first.entry};
    const size_t rivals = tan_count_of(&race, "cells", RIVALS);
    if (rivals < 2) {
        const size_t waves = tan_count_of(&at, "cells", "wave_us.median");
        if (waves > 0) {
            tan_page_say(p,
                         "%zu trees were measured, of different numbers of leaves or sizes of "
                         "messages.",
                         waves);
        }
        return;
    }
    fastest = race;
    tan_least_of(&fastest, "cells", "wave_us.median", RIVALS);
    race.each = fastest.entry;
    fastest.i = rivals - 1;
    tan_page_tell_at(p, &fastest,
                     "Of {#} measured trees with {leaves:%.0f} leaves, {topo:%.80s} is the "
                     "fastest: {wave_us.median:us} a wave" TAN_UNTRUSTED ".");
    const size_t as_fast =
        tan_count_of(&race, "cells", RIVALS " & .wave_us.ci95.1 - wave_us.ci95.0 + 1e-9");
    if (as_fast > 1) {
        tan_page_say(p, "By the 95 %% intervals %zu other%s may be as fast.", as_fast - 1,
                     as_fast > 2 ? "s" : "");
    }
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        struct tan_place chosen = race;
        chosen.key = models[m];
        if (tan_least_of(&chosen, "cells", "predicted_us.@", RIVALS)) {
            tan_page_tell_at(p, &chosen,
                             "By {@} {topo:%.80s} would be the fastest[{?topo~.topo}, too]"
                             "[{?!topo~.topo}; it takes {wave_us.median / .wave_us.median:factor} "
                             "times as long].");
        }
    }
}

/* The best model on the random trees, or, where there are none, on those of named shapes. */
static bool tell_accuracy(struct page *p, const json_t *document)
{
    struct tan_place at = {.document = document, .entry = document};
    return (tan_least_of(&at, "models", "mean_abs_error", NULL) ||
            tan_least_of(&at, "named", "mean_abs_error", NULL)) &&
           tan_page_tell_at(
               p, &at,
               "On {trees:%.0f} trees that no fit has seen, {@:%.40s} errs least: by "
               "{mean_abs_error * 100:%.1f} % on average, at worst by {worst_abs_error * 100:%.1f} "
               "%[; it ranks them as they were measured with tau = {kendall_tau:%.2f}]; the tree "
               "that it predicts to be the fastest [{?!regret - 0.0005}is the fastest one]"
               "[{?regret - 0.0005}{?1 - regret}takes {regret * 100:%.1f} % more time than the "
               "fastest one][{?!1 - regret}takes {regret + 1:%.3g} times as long as the fastest "
               "one]" TAN_UNTRUSTED ".");
}

void tan_show_results(struct page *p, const json_t *document)
{
    enum { FEW = 8 };
    const struct tan_place at = {.document = document, .entry = document};
    const size_t n = json_array_size(tan_array_of(document, "cells"));
    const size_t untrusted = tan_count_of(&at, "cells", "1 - trustworthy");
    struct tan_place stream = at;
    char text[100];
    if (json_object_get(document, "models") == NULL) {
        tell_fastest(p, document);
    } else if (tell_accuracy(p, document)) {
        tan_show_listing(p, &at, &errors[0]);
    }
    if (tan_least_of(&stream, "cells", "0 - stream.rate_per_s", NULL)) {
        tan_page_tell_at(p, &stream,
                         "{topo:%.80s} sustains {stream.rate_per_s:%.4g} waves a second.");
    }
    if (untrusted > 0) {
        snprintf(text, sizeof text, "%zu of %zu measured trees are not trustworthy.", untrusted, n);
        tan_page_doubt(p, NULL, text);
    }
    tan_show_figures(p, document, figures);
    tan_page_part(p, n <= FEW ? PART_ANSWER : PART_MORE);
    tan_show_listing(p, &at, &trees);
    tan_page_part(p, PART_MORE);
    tan_show_listing(p, &at, &errors[1]);
    tan_show_listing(p, &at, &errors[2]);
}

/* Four trees with that many leaves, measured and by both models, side by side. */
#define TREES(number, leaves)                                                                      \
    {                                                                                              \
        "paper-figure-" number,                                                                    \
            "Figure " number ": time of a single wave for 4 topologies with " leaves               \
            " leaf nodes",                                                                         \
            NULL, "time (ms)", "",                                                                 \
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

static const struct tan_figure paper[] = {
    {"paper-figure-1", "Figure 1: cost of N-to-1 communication for varying packet sizes",
     "participants (N)", "time (ms)", "",
     "Contention becomes the bottleneck as the number of participants increases.",
     .rows = {{TAN_LINE, "{bytes / 1024:%.4g} KiB", "cells",
               .value = {"topo", "up_us.median|wave_us.median / 1000"},
               .only = "topo=nto1:", .by = "bytes"}},
     .least = 2, .only = "cells%bytes - 1"},
    {"paper-figure-2", "Figure 2: histogram of latency samples between two processes",
     "latency (ms)", "samples", "",
     "Half round trips; samples beyond three times the median are left out, as the paper left out "
     "its one outlier.",
     .rows = {{TAN_HISTOGRAM, "", ".samples_us", .value = {" / 2000"},
               .only = ".processes~2 & !.mode=oneway & ! / .wave_us.median - 6", .each = "cells"}},
     .most = 10000, .least = 80},
    {"paper-figure-4", "Figure 4: time of a single wave in a chain topology",
     "internal tree processes", "time (ms)", "", "Medians over an increasing number of processes.",
     .rows = {OBSERVED("topo=chain:"), CURVE("TAN", "tan", "topo=chain:")}, .least = 3},
    {"paper-figure-6", "Figure 6: a single wave in an N-to-1 topology", "leaf processes",
     "time (ms)", "",
     "Medians over an increasing number of leaf processes. The paper takes the latency and the "
     "leaf's own overhead off, which are the same for all.",
     .rows = {OBSERVED("topo=nto1:"), CURVE("TAN", "tan", "topo=nto1:"),
              CURVE("LogP", "logp", "topo=nto1:")},
     .least = 4, .only = "!cells%bytes - 1"},
    TREES("7", "32"),
    TREES("8", "128"),
};

void tan_show_paper(struct page *p)
{
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; i++) {
        const struct tan_figure one[] = {paper[i], {.name = NULL}};
        for (size_t k = 0; k < p->n_sources; k++) {
            tan_show_figures(p, p->sources[k].document, one);
        }
    }
}
