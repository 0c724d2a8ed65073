/* design.c - a recommendation, and comparison with other trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/design_trees.h"
#include "answer/phrases.h"
#include "answer/sureness.h"
#include "base/text.h"
#include "base/units.h"
#include "design/search/limits.h"
#include "model/wave/payload.h"

static void print_headline(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    char text[TAN_SENTENCE];
    char fanouts[TAN_NAME];
    const bool all = d->problem.model->node == NULL;
    fprintf(to, "\nThe best tree for %" PRId64 " %s%s%s%s: %s\n\n", d->problem.leaves,
            tan_leaves_text(d->problem.leaves), tan_within_text(&d->problem, text, sizeof text),
            all ? "" : ", of ", all ? "" : tan_best_of_text(&d->problem),
            tan_short_fanouts(plan, fanouts));
}

/* A size as tanbench reads it: exact and without a blank. */
static const char *bytes_text(int64_t bytes, char buffer[TAN_CELL])
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    while (bytes % 1024 == 0 && bytes > 0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, TAN_CELL, "%" PRId64 "%s", bytes, units[unit]);
    return buffer;
}

/* The command that measures the tree with messages of the same size. */
static void print_measure(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    enum { DEFAULT_BYTES = 1024, MAX_RANKS = 1 << 20, MANY = 64 };
    const struct tan_params *params = d->problem.params;
    const struct tan_payload *payload = params->payload;
    const int64_t bytes = payload != NULL ? tan_payload_bytes(payload) : params->bytes;
    char spec[TAN_NAME + 32];
    char text[TAN_CELL];
    if (plan->processes > MAX_RANKS) {
        fprintf(to, "  measure    too large for tanbench, which starts at most %d processes\n",
                MAX_RANKS);
        return;
    }
    fprintf(to, "  measure    tanbench%s --topo %s", d->problem.params->one_way ? " oneway" : "",
            tan_plan_spec(plan, spec, sizeof spec));
    if (bytes != DEFAULT_BYTES && bytes > 0) {
        fprintf(to, " --bytes %s", bytes_text(bytes, text));
    }
    if (payload != NULL && tan_payload_rule_of(payload) != &tan_payload_rules[0]) {
        fprintf(to, " --filter %s", tan_payload_rule_of(payload)->name);
    }
    fputc('\n', to);
    if (plan->processes > MANY) {
        fprintf(to,
                "             (starts %" PRId64 " processes: on a cluster with as many cores)\n",
                plan->processes);
    }
}

/* What a tree of any shape would gain. */
static void print_any_shape(const struct tan_design *d, FILE *to)
{
    const struct tan_any_shape *any = &d->any_shape;
    char text[TAN_SENTENCE];
    char wave[TAN_CELL];
    char more[TAN_CELL];
    if (any->tree == NULL) {
        return;
    }
    const int n = snprintf(
        text, sizeof text,
        "A tree of any shape would take %s, %.1f %% less: height %" PRId32 ", %" PRId32
        " processes, at most %" PRId32 " children each. --output FILE writes it.",
        tan_exact_text(any->wave, wave), 100.0 * (1.0 - any->wave / d->fastest.wave),
        tan_tree_height(any->tree), tan_tree_size(any->tree), tan_tree_max_fanout(any->tree));
    if (any->wave > (1.0 + TAN_SEARCH_EQUAL) * any->bound) {
        snprintf(text + n, sizeof text - (size_t)n, " No tree takes %s less than that.",
                 tan_format_share(1.0 - any->bound / any->wave, more, sizeof more));
    }
    fputc('\n', to);
    tan_text_wrap(to, text, 0, 2);
}

static void print_best(const struct tan_design *d, FILE *to)
{
    const struct tan_choice *best = &d->choices[0];
    const struct tan_plan *plan = &best->plan;
    char text[TAN_CELL];
    print_headline(d, plan, to);
    fprintf(to, "  wave       %s, %s", tan_exact_text(plan->wave, text),
            tan_span_text(d->problem.params));
    if (tan_is_wide(best->ci95)) {
        fprintf(to, " (95 %% interval %s)", tan_interval_text(best->ci95, text));
    }
    if (d->logp.exists) {
        fprintf(to, "\n  by LogP    %s, as if further children were free",
                tan_exact_text(d->logp.wave, text));
    }
    if (d->tan.exists) {
        fprintf(to, "\n  by TAN     %s, as if nothing overlapped",
                tan_exact_text(d->tan.wave, text));
    }
    if (d->loggpo.exists) {
        fprintf(to, "\n  by LogGPO  %s, its messages as published",
                tan_exact_text(d->loggpo.wave, text));
    }
    fprintf(to, "\n  period     %s from wave to wave in steady state\n",
            tan_exact_text(plan->period, text));
    fprintf(to, "  height     %d\n", plan->height);
    fprintf(to, "  processes  %" PRId64 ": the root, %" PRId64 " internal, %" PRId64 " %s\n",
            plan->processes, plan->internal, plan->leaves, tan_leaves_text(plan->leaves));
    fprintf(to, "  a failure  takes at most %" PRId64 " %s with it\n", plan->below[0],
            tan_leaves_text(plan->below[0]));
    print_measure(d, plan, to);
    fputc('\n', to);
    tan_design_print_levels(d, plan, to);
    print_any_shape(d, to);
}

/* "4 levels (8x8x8x8, 641 us) would " */
static int rival_text(const struct tan_rival *rival, char *text, size_t size)
{
    char fanouts[TAN_NAME];
    char time[TAN_CELL];
    return snprintf(text, size, "%d level%s (%s, %s) would ", rival->plan.height,
                    tan_plural(rival->plan.height), tan_short_fanouts(&rival->plan, fanouts),
                    tan_exact_text(rival->plan.wave, time));
}

/* "; while b, 0.783 us here, is below 3.71 us and c, ...", for the parameters that matter. */
static int stays_text(const struct tan_design *d, char *text, size_t size)
{
    const struct tan_params *params = d->problem.params;
    const double us = 1e-6;
    char now[TAN_CELL];
    char low[TAN_CELL];
    char high[TAN_CELL];
    int n = 0;
    text[0] = '\0';
    for (int i = 1; i < TAN_BREAKPOINTS; i++) {
        const struct tan_interval *stays = &d->stays[i];
        const bool below = isfinite(stays->high);
        const bool above = stays->low > 0.0;
        /* no width: trees tie, as they may with c = 0, and any other value favours one of them */
        const bool tie = stays->high - stays->low <= TAN_SEARCH_EQUAL * us;
        if (!(stays->low <= stays->high) || (!below && !above) || tie) {
            continue;
        }
        const int p = tan_breakpoint_params[i];
        n += snprintf(text + n, size - (size_t)n, "%s%s, %s here, is ",
                      n == 0 ? "; while " : " and ", tan_param_symbol(params->method, p),
                      tan_short_text(params->value[p], now));
        tan_short_text(stays->low, low);
        tan_short_text(stays->high, high);
        n += above && below ? snprintf(text + n, size - (size_t)n, "between %s and %s", low, high)
                            : snprintf(text + n, size - (size_t)n, "%s %s",
                                       above ? "above" : "below", above ? low : high);
    }
    return n;
}

/* "16x16x16 stays the fastest while the latency, ...": for which parameters it does, if known. */
static void while_text(const struct tan_design *d, char *text, size_t size)
{
    const struct tan_interval *stays = &d->stays[0]; /* of L */
    char fanouts[TAN_NAME];
    char low[TAN_CELL];
    char high[TAN_CELL];
    char now[TAN_CELL];
    text[0] = '\0';
    if (!(stays->low <= stays->high)) {
        return;
    }
    int n = snprintf(text, size, "%s stays the fastest ", tan_short_fanouts(&d->fastest, fanouts));
    tan_exact_text(d->problem.params->value[TAN_L], now);
    tan_exact_text(stays->low, low);
    tan_exact_text(stays->high, high);
    const bool above = stays->low > 0.0;
    if (above && isfinite(stays->high)) {
        n += snprintf(text + n, size - (size_t)n,
                      "while the latency, %s here, is between %s and %s", now, low, high);
    } else if (above || isfinite(stays->high)) {
        n += snprintf(text + n, size - (size_t)n, "while the latency, %s here, is %s %s", now,
                      above ? "above" : "below", above ? low : high);
    } else {
        n += snprintf(text + n, size - (size_t)n, "whatever the latency");
    }
    n += stays_text(d, text + n, size - (size_t)n);
    snprintf(text + n, size - (size_t)n, ".");
}

/* "6x8 takes 0.02 % longer, which may be error, and has 55 processes instead of 56. ": why another
 * tree than the fastest is recommended. */
static int instead_text(const struct tan_design *d, char *text, size_t size)
{
    const struct tan_choice *best = &d->choices[0];
    char fanouts[TAN_NAME];
    char longer[TAN_CELL];
    int n = snprintf(text, size, "%s takes %s longer, which is within the error bars, and ",
                     tan_short_fanouts(&best->plan, fanouts),
                     tan_format_share(best->slower, longer, sizeof longer));
    n += best->plan.processes < d->fastest.processes
             ? snprintf(text + n, size - (size_t)n,
                        "has %" PRId64 " processes instead of %" PRId64 ". ", best->plan.processes,
                        d->fastest.processes)
             : snprintf(text + n, size - (size_t)n, "may lose less than it. ");
    return n;
}

/* What a rival saves and adds, seconds, after rival_text; also where it saves nothing. */
static int trade_text(double saved, const char *of, double added, const char *and_of, char *text,
                      size_t size)
{
    char first[TAN_CELL];
    char second[TAN_CELL];
    return snprintf(text, size, "%s %s of %s and %s%s of %s. ", saved > 0.0 ? "save" : "add",
                    tan_exact_text(fabs(saved), first), of, saved > 0.0 ? "add " : "",
                    tan_exact_text(added, second), and_of);
}

/* Why trees of other heights are slower, latency against overhead, and for which parameters the
 * fastest tree stays the fastest, unless the sensitivities say it. */
static void print_reason(const struct tan_design *d, FILE *to)
{
    const struct tan_plan *fastest = &d->fastest;
    const double latency = d->problem.params->value[TAN_L];
    const struct tan_rival *more = &d->more_levels;
    const struct tan_rival *fewer = &d->fewer_levels;
    char text[TAN_SENTENCE] = "";
    char fanouts[TAN_NAME];
    const bool another = tan_plan_order(fastest, &d->choices[0].plan) != 0;
    int n = another ? instead_text(d, text, sizeof text) : 0;
    if (more->exists) {
        const double added = (more->plan.height - fastest->height) * latency;
        n += rival_text(more, text + n, sizeof text - (size_t)n);
        n += trade_text(fastest->wave + added - more->plan.wave, "overhead", added, "latency",
                        text + n, sizeof text - (size_t)n);
    }
    if (fewer->exists) {
        const double saved = (fastest->height - fewer->plan.height) * latency;
        n += rival_text(fewer, text + n, sizeof text - (size_t)n);
        n += trade_text(saved, "latency", fewer->plan.wave + saved - fastest->wave, "overhead",
                        text + n, sizeof text - (size_t)n);
    }
    if (d->n_sensitivities == 0 || n == 0) {
        while_text(d, text + n, sizeof text - (size_t)n);
    }
    char name[TAN_NAME];
    tan_short_fanouts(fastest, fanouts);
    if (text[0] != '\0') {
        const int used = another ? fprintf(to, "\nWhy %s, although %s is the fastest: ",
                                           tan_short_fanouts(&d->choices[0].plan, name), fanouts) -
                                       1
                                 : fprintf(to, "\nWhy %s is the fastest: ", fanouts) - 1;
        tan_text_wrap(to, text, used, 2);
    }
    if (d->flat_until > 0) {
        tan_report_flat("leaves", d->flat_until, d->flat_ci95, to);
    }
}

/* Alternatives */

/* " The data cannot tell 3 levels (best in 61 % of the draws), such as 16x16x16, from 2 (39 %),
 * such as 64x64." */
static int heights_text(const struct tan_design *d, char *text, size_t size)
{
    enum { NAMED = 3 };
    char fanouts[TAN_NAME];
    int n = snprintf(text, size, " The data cannot tell");
    const struct tan_height *h = d->heights;
    for (int i = 0; i < d->n_heights && i < NAMED; i++, h++) {
        n += snprintf(text + n, size - (size_t)n, "%s %d%s (%s%.0f %%%s), such as %s",
                      i == 0   ? ""
                      : i == 1 ? ", from"
                               : ", or",
                      h->plan.height,
                      i > 0                 ? ""
                      : h->plan.height == 1 ? " level"
                                            : " levels",
                      i == 0 ? "best in " : "", 100.0 * h->share, i == 0 ? " of the draws" : "",
                      tan_short_fanouts(&h->plan, fanouts));
    }
    n += snprintf(text + n, size - (size_t)n, ".");
    if (d->decide[0] != '\0') {
        n += snprintf(text + n, size - (size_t)n, " To decide, measure %s.", d->decide);
    }
    return n;
}

static int sureness_text(const struct tan_design *d, char *text, size_t size)
{
    char fanouts[TAN_NAME];
    char mean[TAN_CELL];
    char loss[TAN_CELL];
    char within[TAN_SENTENCE];
    snprintf(within, sizeof within, " of %s",
             d->problem.model->node == NULL ? "all" : tan_best_of_text(&d->problem));
    const char *among =
        tan_limits_first(tan_problem_asked(&d->problem)) != NULL ? " within the limits"
        : d->problem.objective != NULL ? tan_within_text(&d->problem, within, sizeof within)
                                       : within;
    tan_short_fanouts(&d->choices[0].plan, fanouts);
    const bool rarely = d->probability < 0.01;
    int n = rarely
                ? snprintf(text, size, "%s is the best tree%s in less than 1 %% of the draws; it ",
                           fanouts, among)
                : snprintf(text, size,
                           "%s is the best tree%s with a probability of %.0f %%, if waves cost "
                           "what the model says; it ",
                           fanouts, among, 100.0 * d->probability);
    n += snprintf(text + n, size - (size_t)n,
                  "is %s slower than the best one on average, and at most %s in 95 of 100 cases.",
                  tan_format_share(d->choices[0].mean_loss, mean, sizeof mean),
                  tan_format_share(d->choices[0].loss, loss, sizeof loss));
    if (d->runner_up.exists) {
        n += snprintf(text + n, size - (size_t)n, " %s",
                      tan_runner_up_text(tan_short_fanouts(&d->runner_up.plan, fanouts),
                                         d->runner_up.probability, d->runner_up.mean_loss, NAN,
                                         within));
    }
    return n;
}

void tan_report_design_sureness(const struct tan_design *d, FILE *to)
{
    char text[TAN_SENTENCE] = "How sure: ";
    char fanouts[TAN_NAME];
    tan_sensitivities_print(d->sensitivity, d->n_sensitivities, d->problem.params->method,
                            tan_short_fanouts(&d->choices[0].plan, fanouts), to);
    /* under max_processes no trees of draws were searched (loss.h) */
    if (d->loss.n > 0 && d->problem.max_processes == 0) {
        const size_t used = strlen(text);
        sureness_text(d, text + used, sizeof text - used);
        tan_text_say(to, "\n%s", text);
    }
}

/* Whether the recommended tree has more processes than another tie, because that may lose more. */
static bool is_first_by_loss(const struct tan_design *d)
{
    return d->loss.n > 0 && d->n_tied > 1 &&
           d->choices[1].plan.processes < d->choices[0].plan.processes;
}

static void print_ties(const struct tan_design *d, FILE *to)
{
    static const char *const bars[] = {
        [TAN_SPREAD_UNKNOWN] = "The parameters have no error bars: only equal times tie",
        [TAN_SPREAD_CI95] =
            ("The intervals are 95 %, from those of the parameters, taken as independent"),
        [TAN_SPREAD_DRAWS] = "The intervals are 95 %, from the bootstrap of the fit",
    };
    char text[2 * TAN_SENTENCE];
    char fanouts[TAN_NAME];
    int n = snprintf(text, sizeof text, "%s.", bars[d->spread]);
    if (d->n_tied > 1) {
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            " Of the %zu best trees %zu tie: none is significantly slower than the fastest of "
            "them, %s. Ties are listed by processes.",
            d->n_choices, d->n_tied, tan_short_fanouts(&d->fastest, fanouts));
        if (is_first_by_loss(d)) {
            n += snprintf(
                text + n, sizeof text - (size_t)n,
                " %s comes first, as it has the fewest processes of those whose loss in 95 "
                "of 100 cases is within a percentage point of the smallest.",
                tan_short_fanouts(&d->choices[0].plan, fanouts));
        }
    }
    if (d->n_heights > 1) {
        n += heights_text(d, text + n, sizeof text - (size_t)n);
    }
    if (d->loss.n > 0 && d->choices[0].loss > TAN_SEARCH_EQUAL) {
        text[n++] = ' ';
        sureness_text(d, text + n, sizeof text - (size_t)n);
    }
    tan_text_say(to, "\n%s", text);
    tan_sensitivities_print(d->sensitivity, d->n_sensitivities, d->problem.params->method,
                            tan_short_fanouts(&d->choices[0].plan, fanouts), to);
}

void tan_report_design(const struct tan_design *d, int listed, FILE *to)
{
    print_best(d, to);
    if ((d->n_choices > 1 || d->cut) && !d->problem.params->unidentified[TAN_L]) {
        print_reason(d, to);
    }
    tan_design_print_choices(d, listed, to);
    print_ties(d, to);
    tan_design_print_comparisons(d, to);
}

void tan_report_compared(const struct tan_design *d, const struct tan_compared *compared, size_t n,
                         FILE *to)
{
    print_best(d, to);
    tan_design_print_compared(d, compared, n, to);
    print_ties(d, to);
}
