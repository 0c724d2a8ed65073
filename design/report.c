/* report.c - a design and predictions as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "design/reading.h"
#include "model/wave/payload.h"

static const double us = 1e-6;

enum { CELL = 64, NAME = 256, SENTENCE = 1024 };

/* Pieces of text; each returns its buffer. */

/* Is it known, and more than the rounding of one value? */
static bool is_wide(struct tan_interval ci95)
{
    return ci95.high - ci95.low > 1e-9 * fabs(ci95.high);
}

/* A time, with as many digits as its interval supports, when that is known. */
static const char *time_text(double seconds, struct tan_interval ci95, char buffer[CELL])
{
    const bool is_long = seconds >= 0.1;
    const double unit = is_long ? 1.0 : us;
    char number[32];
    if (is_wide(ci95)) {
        /* a third of the half-width: two digits of an interval of 15 to 26 */
        tan_format_value(seconds / unit, (ci95.high - ci95.low) / 6.0 / unit, number,
                         sizeof number);
    } else {
        snprintf(number, sizeof number, is_long ? "%.4g" : "%.1f", seconds / unit);
    }
    snprintf(buffer, CELL, "%s %s", number, is_long ? "s" : "us");
    return buffer;
}

static const char *exact_text(double seconds, char buffer[CELL])
{
    return time_text(seconds, TAN_INTERVAL_UNKNOWN, buffer);
}

/* "600 to 640 us": the unit of `low` only where it is another one; "600 us" where both are. */
static void join_ends(char low[CELL], const char *high, char buffer[CELL])
{
    if (strcmp(low, high) == 0) {
        snprintf(buffer, CELL, "%s", low);
        return;
    }
    char *unit = strrchr(low, ' ');
    if (strcmp(unit, strrchr(high, ' ')) == 0) {
        *unit = '\0';
    }
    snprintf(buffer, CELL, "%.28s to %.28s", low, high);
}

/* "600 to 640 us"; "10.0 us" where it has no width */
static const char *interval_text(struct tan_interval ci95, char buffer[CELL])
{
    char low[CELL];
    char high[CELL];
    if (!is_wide(ci95)) {
        return exact_text(ci95.low, buffer);
    }
    time_text(ci95.low, ci95, low);
    time_text(ci95.high, ci95, high);
    join_ends(low, high, buffer);
    return buffer;
}

/* "+1.0 %", "3.1x", "as fast", "ties, +0.3 %" */
static const char *slower_text(double slower, bool tied, char buffer[CELL])
{
    const char *tie = tied ? "ties, " : "";
    if (fabs(slower) <= TAN_SEARCH_EQUAL) {
        snprintf(buffer, CELL, "as fast");
    } else if (slower < 1.0) {
        snprintf(buffer, CELL, fabs(slower) < 0.01 ? "%s%+.2f %%" : "%s%+.1f %%", tie,
                 100.0 * slower);
    } else {
        const char *format = slower < 9.0 ? "%s%.1fx" : slower < 1e6 ? "%s%.0fx" : "%s%.1ex";
        snprintf(buffer, CELL, format, tie, 1.0 + slower);
    }
    return buffer;
}

/* "0.25 %", "40 %" */
static const char *share_text(double share, char buffer[CELL])
{
    snprintf(buffer, CELL, share < 0.1 ? "%.2g %%" : "%.0f %%", 100.0 * share);
    return buffer;
}

/* Fanouts for a table: "16x16x16"; long lists of equal ones as "2^30". */
static const char *short_fanouts(const struct tan_plan *plan, char buffer[NAME])
{
    enum { LONG = 20 };
    if (strlen(tan_plan_fanouts(plan, buffer, NAME)) <= LONG) {
        return buffer;
    }
    size_t used = 0;
    for (int i = 0, n; i < plan->height; i += n) {
        for (n = 1; i + n < plan->height && plan->fanout[i + n] == plan->fanout[i];) {
            n++;
        }
        char power[16] = "";
        if (n > 1) {
            snprintf(power, sizeof power, "^%d", n);
        }
        used += (size_t)snprintf(buffer + used, NAME - used, "%s%" PRId64 "%s", i > 0 ? "x" : "",
                                 plan->fanout[i], power);
    }
    return buffer;
}

/* A spec for a table, "levels:2x2...2x2x2x2" where it has more than `most` characters. */
static const char *short_spec(const char *spec, int most, char buffer[NAME])
{
    const int length = (int)strlen(spec);
    const int head = most / 2;
    if (length <= most) {
        snprintf(buffer, NAME, "%s", spec);
    } else {
        snprintf(buffer, NAME, "%.*s...%s", head, spec, spec + length - (most - head - 3));
    }
    return buffer;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static const char *leaves_text(int64_t n)
{
    return n == 1 ? "leaf" : "leaves";
}

/* The machine */

void tan_report_machine(const struct tan_provenance *from, const struct tan_model *model,
                        const struct tan_trust *trust, int64_t leaves, FILE *to)
{
    const struct tan_machine *m = from->machine;
    char size[32];
    char given[256] = "";
    if (from->given != NULL) {
        tan_given_text(from->given, given, sizeof given);
    }
    if (m->stand_in) {
        tan_text_wrap(to,
                      TAN_STAND_IN
                      ". For yours, measure it (tanbench calibrate), or give --latency "
                      "and --overhead.",
                      0, 0);
    }
    if (from->file == NULL) {
        fprintf(to, "Machine: %s: %s\n", m->name, given);
    } else {
        fprintf(to, "Machine: %s (method %s, messages of %s, %s)\n", m->name,
                tan_method_name(m->tan.method), tan_format_size(m->tan.bytes, size, sizeof size),
                m->oversubscribed ? "OVERSUBSCRIBED" : "not oversubscribed");
    }
    tan_doubts_print(&trust->doubts, TAN_NOT_TRUSTWORTHY, to);
    tan_doubts_print(&trust->notes, "Note", to);
    if (from->file != NULL) {
        fprintf(to, "File:    %s\n", from->file);
    }
    if (from->file != NULL && given[0] != '\0') {
        fprintf(to, "Given:   %s, in place of the file's\n", given);
    }
    if (m->tan.payload != NULL) {
        fprintf(to, "Messages: %s from every leaf, growth %s, times by model %s of its p2p block\n",
                tan_format_size(tan_payload_bytes(m->tan.payload), size, sizeof size),
                tan_payload_rule_of(m->tan.payload)->name,
                tan_payload_model_of(m->tan.payload)->name);
    }
    if (model != &tan_models[0]) {
        fprintf(to, "Model: %s, %s\n", model->name, model->help);
    }
    tan_reading_print(model, &m->tan, leaves, to);
}

/* The recommended tree */

/* Share of the gap in every level. */
static double gap_of(const struct tan_model *model, const struct tan_params *params)
{
    return model->gap ? params->value[TAN_G] : 0.0;
}

/* The parts of a cost, with a column for the gap only when there is one. */
static void cost_cells(struct tan_table *table, double latency, double overhead, double gap)
{
    char text[CELL];
    tan_table_cell(table, "%s", exact_text(latency, text));
    tan_table_cell(table, "%s", exact_text(overhead, text));
    if (gap > 0.0) {
        tan_table_cell(table, "%s", exact_text(gap, text));
    }
    tan_table_cell(table, "%s", exact_text(latency + overhead + gap, text));
}

static void print_levels(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    const struct tan_problem *p = &d->problem;
    const double latency = p->params->value[TAN_L];
    const double gap = gap_of(p->model, p->params);
    const char *const headings[] = {
        "level", "nodes", "fanout", "latency", "overhead", gap > 0 ? "gap" : "cost", "cost"};
    struct tan_table *table = tan_table_create(headings, gap > 0.0 ? 7 : 6);
    int64_t nodes = 1;
    double sum = 0.0;
    for (int i = 0; i < plan->height; i++) {
        const int64_t fanout = plan->fanout[i];
        const double overhead = tan_plan_level(plan, i, p->model, p->params) - latency - gap;
        tan_table_cell(table, "%d", i + 1);
        tan_table_cell(table, "%" PRId64, nodes);
        /* only the last level's leaves may have to be spread unevenly */
        if (i == plan->height - 1 && plan->leaves / nodes < fanout) {
            tan_table_cell(table, "%" PRId64 "-%" PRId64, plan->leaves / nodes, fanout);
        } else {
            tan_table_cell(table, "%" PRId64, fanout);
        }
        cost_cells(table, latency, overhead, gap);
        sum += overhead;
        nodes *= fanout;
    }
    tan_table_cell(table, "sum");
    tan_table_cell(table, "%" PRId64, plan->internal + 1);
    tan_table_cell(table, "%s", "");
    cost_cells(table, plan->height * latency, sum, plan->height * gap);
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (p->params->value[TAN_C0] > 0.0) {
        char text[CELL];
        fprintf(to, "and %s once for the wave (C)\n", exact_text(p->params->value[TAN_C0], text));
    }
}

/* "The best tree for 4096 leaves within --max-height 3" */
static const char *problem_text(const struct tan_problem *p, char *text, size_t size)
{
    int n =
        snprintf(text, size, "The best tree for %" PRId64 " %s", p->leaves, leaves_text(p->leaves));
    const struct {
        int64_t limit;
        const char *what;
    } limits[] = {{p->max_fanout, "--max-fanout"},
                  {p->max_height, "--max-height"},
                  {p->max_processes, "--max-processes"}};
    const char *before = " within ";
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].limit > 0) {
            n += snprintf(text + n, size - (size_t)n, "%s%s %" PRId64, before, limits[i].what,
                          limits[i].limit);
            before = " ";
        }
    }
    return text;
}

static void print_headline(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    char text[SENTENCE];
    char fanouts[NAME];
    fprintf(to, "\n%s: %s\n\n", problem_text(&d->problem, text, sizeof text),
            short_fanouts(plan, fanouts));
}

/* A size as tanbench reads it, without a blank and exactly. */
static const char *bytes_text(int64_t bytes, char buffer[CELL])
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    while (bytes % 1024 == 0 && bytes > 0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, CELL, "%" PRId64 "%s", bytes, units[unit]);
    return buffer;
}

/* The command that measures the tree with the same messages. */
static void print_measure(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    enum { DEFAULT_BYTES = 1024, MAX_RANKS = 1 << 20, MANY = 64 };
    const struct tan_params *params = d->problem.params;
    const struct tan_payload *payload = params->payload;
    const int64_t bytes = payload != NULL ? tan_payload_bytes(payload) : params->bytes;
    char spec[NAME + 32];
    char text[CELL];
    if (plan->processes > MAX_RANKS) {
        fprintf(to, "  measure    too large for tanbench, which starts at most %d processes\n",
                MAX_RANKS);
        return;
    }
    fprintf(to, "  measure    tanbench --topo %s", tan_plan_spec(plan, spec, sizeof spec));
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

static void print_best(const struct tan_design *d, FILE *to)
{
    const struct tan_choice *best = &d->choices[0];
    const struct tan_plan *plan = &best->plan;
    char text[CELL];
    print_headline(d, plan, to);
    fprintf(to, "  wave       %s, half a round trip", time_text(plan->wave, best->ci95, text));
    if (is_wide(best->ci95)) {
        fprintf(to, " (95 %% interval %s)", interval_text(best->ci95, text));
    }
    fprintf(to, "\n  period     %s from wave to wave in steady state\n",
            exact_text(plan->period, text));
    fprintf(to, "  height     %d\n", plan->height);
    fprintf(to, "  processes  %" PRId64 ": the root, %" PRId64 " internal, %" PRId64 " %s\n",
            plan->processes, plan->internal, plan->leaves, leaves_text(plan->leaves));
    print_measure(d, plan, to);
    fputc('\n', to);
    print_levels(d, plan, to);
}

/* "4 levels (8x8x8x8, 641 us) would " */
static int rival_text(const struct tan_rival *rival, char *text, size_t size)
{
    char fanouts[NAME];
    char time[CELL];
    return snprintf(text, size, "%d level%s (%s, %s) would ", rival->plan.height,
                    plural(rival->plan.height), short_fanouts(&rival->plan, fanouts),
                    exact_text(rival->plan.wave, time));
}

/* Comparison of the fastest tree with others: latency against overhead, and possible errors of
 * L. */
static void print_reason(const struct tan_design *d, FILE *to)
{
    const struct tan_plan *fastest = &d->fastest;
    const double latency = d->problem.params->value[TAN_L];
    const struct tan_rival *more = &d->more_levels;
    const struct tan_rival *fewer = &d->fewer_levels;
    char text[SENTENCE];
    char fanouts[NAME];
    char first[CELL];
    char second[CELL];
    char now[CELL];
    int n = 0;
    if (more->exists) {
        const double added = (more->plan.height - fastest->height) * latency;
        n += rival_text(more, text + n, sizeof text - (size_t)n);
        n += snprintf(
            text + n, sizeof text - (size_t)n, "save %s of overhead and add %s of latency. ",
            exact_text(fastest->wave + added - more->plan.wave, first), exact_text(added, second));
    }
    if (fewer->exists) {
        const double saved = (fastest->height - fewer->plan.height) * latency;
        n += rival_text(fewer, text + n, sizeof text - (size_t)n);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "save %s of latency and add %s of overhead. ", exact_text(saved, first),
                      exact_text(fewer->plan.wave + saved - fastest->wave, second));
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "%s stays the fastest ",
                  short_fanouts(fastest, fanouts));
    exact_text(latency, now);
    exact_text(more->latency, first);
    exact_text(fewer->latency, second);
    if (more->exists && fewer->exists) {
        snprintf(text + n, sizeof text - (size_t)n,
                 "while the latency, %s here, is between %s and %s.", now, first, second);
    } else if (more->exists || fewer->exists) {
        snprintf(text + n, sizeof text - (size_t)n, "while the latency, %s here, is %s %s.", now,
                 more->exists ? "above" : "below", more->exists ? first : second);
    } else {
        snprintf(text + n, sizeof text - (size_t)n, "whatever the latency.");
    }
    fprintf(to, "\nWhy %s: ", fanouts);
    tan_text_wrap(to, text, (int)strlen(fanouts) + 6, 2);
}

/* The alternatives */

/* " The data cannot tell 3 levels (16x16x16, best in 61 % of the draws) from 2 (64x64, 39 %)." */
static int heights_text(const struct tan_design *d, char *text, size_t size)
{
    enum { NAMED = 3 };
    char fanouts[NAME];
    int n = snprintf(text, size, " The data cannot tell");
    for (int i = 0; i < d->n_heights && i < NAMED; i++) {
        const struct tan_height *h = &d->heights[i];
        n += snprintf(text + n, size - (size_t)n, "%s %d%s (%s, %s%.0f %%%s)",
                      i == 0   ? ""
                      : i == 1 ? " from"
                               : " or",
                      h->plan.height,
                      i > 0                 ? ""
                      : h->plan.height == 1 ? " level"
                                            : " levels",
                      short_fanouts(&h->plan, fanouts), i == 0 ? "best in " : "", 100.0 * h->share,
                      i == 0 ? " of the draws" : "");
    }
    n += snprintf(text + n, size - (size_t)n, ".");
    if (d->decide[0] != '\0') {
        n += snprintf(text + n, size - (size_t)n, " To decide, measure %s.", d->decide);
    }
    return n;
}

static void print_ties(const struct tan_design *d, FILE *to)
{
    static const char *const bars[] = {
        [TAN_SPREAD_UNKNOWN] = "There are no error bars in this machine file: only equal times tie",
        [TAN_SPREAD_CI95] =
            ("The intervals are 95 %, from those of the parameters, taken as independent"),
        [TAN_SPREAD_DRAWS] = "The intervals are 95 %, from the bootstrap of the fit",
    };
    char text[2 * SENTENCE];
    char fanouts[NAME];
    char loss[CELL];
    int n = snprintf(text, sizeof text, "%s.", bars[d->spread]);
    if (d->n_tied > 1) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " Of the %zu best trees %zu tie: none is surely slower than the fastest of "
                      "them, %s. Ties are listed by processes.",
                      d->n_choices, d->n_tied, short_fanouts(&d->fastest, fanouts));
    }
    if (d->n_heights > 1) {
        n += heights_text(d, text + n, sizeof text - (size_t)n);
    }
    if (d->loss.n > 0 && d->choices[0].loss > TAN_SEARCH_EQUAL) {
        snprintf(text + n, sizeof text - (size_t)n,
                 " %s is at most %s slower than the best tree, whichever that is (95 %%).",
                 short_fanouts(&d->choices[0].plan, fanouts), share_text(d->choices[0].loss, loss));
    }
    fputc('\n', to);
    tan_text_wrap(to, text, 0, 0);
}

static void print_choices(const struct tan_design *d, int listed, FILE *to)
{
    const bool bars = d->spread != TAN_SPREAD_UNKNOWN;
    const char *const headings[] = {"",       "<tree",
                                    "height", "processes",
                                    "wave",   "slower than\nthe best",
                                    "period", bars ? "95 % interval\nof the wave" : ""};
    struct tan_table *table = tan_table_create(headings, bars ? 8 : 7);
    char text[CELL];
    char fanouts[NAME];
    int n = 0;
    for (; n < listed && (size_t)n < d->n_choices; n++) {
        const struct tan_choice *c = &d->choices[n];
        const bool tied = c->tied && d->n_tied > 1;
        tan_table_cell(table, "%d", n + 1);
        tan_table_cell(table, "%s", short_fanouts(&c->plan, fanouts));
        tan_table_cell(table, "%d", c->plan.height);
        tan_table_cell(table, "%" PRId64, c->plan.processes);
        tan_table_cell(table, "%s", time_text(c->plan.wave, c->ci95, text));
        tan_table_cell(table, "%s", c->tied && !tied ? "best" : slower_text(c->slower, tied, text));
        tan_table_cell(table, "%s", exact_text(c->plan.period, text));
        if (bars) {
            tan_table_cell(table, "%s", interval_text(c->ci95, text));
        }
    }
    if (n > 1) {
        fprintf(to, "\nThe %d best trees\n\n", n);
        tan_table_print(table, to);
    }
    if (d->cut) {
        fputs("\nToo many trees take almost the same time to tell which come next.\n", to);
    } else if (d->n_choices == 1) {
        fputs("\nThere is no other tree.\n", to);
    }
    tan_table_destroy(table);
}

static void print_comparisons(const struct tan_design *d, FILE *to)
{
    static const char *const headings[] = {
        "<rule", "<tree", "height", "processes", "wave", "slower than\nthe best", "<limits"};
    const struct tan_problem *p = &d->problem;
    const bool limited = p->max_fanout > 0 || p->max_height > 0 || p->max_processes > 0;
    struct tan_table *table = tan_table_create(headings, limited ? 7 : 6);
    char text[CELL];
    char spec[NAME];
    for (size_t i = 0; i < d->n_comparisons; i++) {
        const struct tan_comparison *c = &d->comparisons[i];
        tan_table_cell(table, "%s", c->rule->name);
        tan_table_cell(table, "%s", short_spec(c->spec, 24, spec));
        tan_table_cell(table, "%d", c->plan.height);
        tan_table_cell(table, "%" PRId64, c->plan.processes);
        tan_table_cell(table, "%s", exact_text(c->plan.wave, text));
        tan_table_cell(table, "%s", slower_text(c->slower, c->tied, text));
        if (limited) {
            tan_table_cell(table, "%s", c->within_limits ? "kept" : "broken");
        }
    }
    fputs("\nWhat rules of thumb build for as many leaves\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_report_design(const struct tan_design *d, int listed, FILE *to)
{
    print_best(d, to);
    if (d->n_choices > 1 || d->cut) {
        print_reason(d, to);
    }
    print_choices(d, listed, to);
    print_ties(d, to);
    print_comparisons(d, to);
}

/* Given trees */

/* "+12.3 us", "-0.1 us" */
static const char *difference_text(double seconds, struct tan_interval ci95, char buffer[CELL])
{
    char text[CELL];
    time_text(fabs(seconds), ci95, text);
    snprintf(buffer, CELL, "%s%.48s", seconds < 0.0 ? "-" : "+", text);
    return buffer;
}

static const char *difference_interval(struct tan_interval ci95, char buffer[CELL])
{
    char low[CELL];
    char high[CELL];
    if (!is_wide(ci95)) {
        return difference_text(ci95.low, ci95, buffer);
    }
    difference_text(ci95.low, ci95, low);
    difference_text(ci95.high, ci95, high);
    join_ends(low, high, buffer);
    return buffer;
}

static void compared_row(struct tan_table *table, const struct tan_compared *c, bool same_leaves,
                         bool bars)
{
    char text[CELL];
    char spec[NAME];
    tan_table_cell(table, "%s", short_spec(c->spec, 24, spec));
    tan_table_cell(table, "%" PRId32, c->height);
    tan_table_cell(table, "%" PRId32, c->processes);
    tan_table_cell(table, "%s", time_text(c->wave, c->ci95, text));
    if (same_leaves) {
        tan_table_cell(table, "%s", slower_text(c->slower, c->tied, text));
    } else {
        tan_table_cell(table, "%" PRId32 " %s", c->leaves, leaves_text(c->leaves));
    }
    tan_table_cell(table, "%s", difference_text(c->difference, c->difference_ci95, text));
    if (bars) {
        tan_table_cell(table, "%s", difference_interval(c->difference_ci95, text));
    }
}

void tan_report_compared(const struct tan_design *d, const struct tan_compared *compared, size_t n,
                         FILE *to)
{
    const bool bars = d->spread != TAN_SPREAD_UNKNOWN;
    const struct tan_choice *best = &d->choices[0];
    const char *const headings[] = {"<tree",
                                    "height",
                                    "processes",
                                    "wave",
                                    "slower than\nthe best",
                                    "difference",
                                    bars ? "95 % interval\nof the difference" : ""};
    struct tan_table *table = tan_table_create(headings, bars ? 7 : 6);
    char text[CELL];
    char spec[NAME + 32];
    char shown[NAME];
    size_t others = 0; /* trees with other leaves */
    print_best(d, to);
    tan_plan_spec(&best->plan, spec, sizeof spec);
    tan_table_cell(table, "%s", short_spec(spec, 24, shown));
    tan_table_cell(table, "%d", best->plan.height);
    tan_table_cell(table, "%" PRId64, best->plan.processes);
    tan_table_cell(table, "%s", time_text(best->plan.wave, best->ci95, text));
    tan_table_cell(table, "best");
    tan_table_end_row(table);
    for (size_t i = 0; i < n; i++) {
        const bool same_leaves = compared[i].leaves == d->problem.leaves;
        compared_row(table, &compared[i], same_leaves, bars);
        others += !same_leaves;
    }
    fputs("\nThe given trees beside the best\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (others > 0) {
        fprintf(to,
                "\nThe best tree has %" PRId64
                " %s. Times of trees with other leaves do not compare "
                "with its time.\n",
                d->problem.leaves, leaves_text(d->problem.leaves));
    }
    print_ties(d, to);
}

/* Fanouts */

void tan_report_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                        const struct tan_params *params, int64_t leaves, FILE *to)
{
    const bool bars = tan_spread_of(params) != TAN_SPREAD_UNKNOWN;
    const char *headings[7] = {"fanout", "level", "per child"};
    int columns = 3;
    if (bars) {
        headings[columns++] = "95 % interval\nof the level";
    }
    if (leaves > 0) {
        headings[columns++] = "height";
        headings[columns++] = "wave";
        if (bars) {
            headings[columns++] = "95 % interval\nof the wave";
        }
    }
    struct tan_table *table = tan_table_create(headings, columns);
    char text[CELL];
    for (int i = 0; i < TAN_FANOUTS; i++) {
        const struct tan_fanout *f = &rows[i];
        tan_table_cell(table, "%" PRId64, f->fanout);
        tan_table_cell(table, "%s", time_text(f->level, f->ci95, text));
        tan_table_cell(table, "%s", exact_text(f->level / (double)f->fanout, text));
        if (bars) {
            tan_table_cell(table, "%s", interval_text(f->ci95, text));
        }
        if (leaves > 0) {
            tan_table_cell(table, "%d", f->plan.height);
            tan_table_cell(table, "%s", time_text(f->plan.wave, f->wave_ci95, text));
            if (bars) {
                tan_table_cell(table, "%s", interval_text(f->wave_ci95, text));
            }
        }
    }
    fprintf(to, "\nCost of a level by its fanout, model %s", model->name);
    if (leaves > 0) {
        fprintf(to, "; height and wave of trees kary:FANOUT:%" PRId64, leaves);
    }
    fputs("\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (params->max_fanout > 0 && params->max_fanout < TAN_MOST_FANOUT) {
        fprintf(to, "\nNo fanout above %" PRId64 " was measured: costs beyond are extrapolated.\n",
                params->max_fanout);
    }
}

/* Processes that share cores */

void tan_report_host(const struct tan_machine *machine, FILE *to)
{
    fprintf(to,
            "Model: %s, all processes on one host with %" PRId64
            " core%s, which does nothing else\n",
            TAN_HOST_MODEL, machine->cores_per_host, plural(machine->cores_per_host));
}

static void print_host_best(const struct tan_host_design *d, FILE *to)
{
    const struct tan_host_tree *best = &d->choices[0];
    const struct tan_plan *plan = &best->plan;
    char text[SENTENCE];
    fprintf(to, "\n%s on this host: %s\n\n", problem_text(&d->problem, text, sizeof text),
            best->spec);
    fprintf(to, "  wave       %s, half a round trip\n", exact_text(best->wave, text));
    fprintf(to, "  height     %d\n", plan->height);
    fprintf(to, "  processes  %" PRId64 ": the root, %" PRId64 " internal, %" PRId64 " %s\n",
            plan->processes, plan->internal, plan->leaves, leaves_text(plan->leaves));
    fprintf(to, "  measure    tanbench --topo %s\n", best->spec);
}

static void print_host_choices(const struct tan_host_design *d, int listed, FILE *to)
{
    static const char *const headings[] = {"",          "<tree", "height", "internal",
                                           "processes", "wave",  "slower"};
    struct tan_table *table = tan_table_create(headings, 7);
    char text[CELL];
    int n = 0;
    for (; n < listed && (size_t)n < d->n_choices; n++) {
        const struct tan_host_tree *c = &d->choices[n];
        const bool tied = c->tied && d->n_tied > 1;
        tan_table_cell(table, "%d", n + 1);
        tan_table_cell(table, "%s", c->spec);
        tan_table_cell(table, "%d", c->plan.height);
        tan_table_cell(table, "%" PRId64, c->plan.internal);
        tan_table_cell(table, "%" PRId64, c->plan.processes);
        tan_table_cell(table, "%s", exact_text(c->wave, text));
        tan_table_cell(table, "%s", c->tied && !tied ? "best" : slower_text(c->slower, tied, text));
    }
    if (n > 1) {
        fprintf(to, "\nThe %d best trees\n\n", n);
        tan_table_print(table, to);
    }
    tan_table_destroy(table);
}

static void print_host_ties(const struct tan_host_design *d, FILE *to)
{
    char text[SENTENCE];
    int n =
        snprintf(text, sizeof text, "Simulated: %zu trees, all level-uniform ones", d->n_choices);
    if (d->height > 0) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " with up to %" PRId64 " levels, the best ones of model %s", d->height,
                      d->problem.model->name);
    }
    n += snprintf(text + n, sizeof text - (size_t)n,
                  " and those of rules of thumb. Waves that differ by up to %.0f %% tie",
                  100 * d->tie);
    n += d->machine->host.error > 0
             ? snprintf(text + n, sizeof text - (size_t)n,
                        ": the simulation misses the trees that it was fitted to by %.0f %% on "
                        "average.",
                        100 * d->machine->host.error)
             : snprintf(text + n, sizeof text - (size_t)n, ".");
    if (d->n_tied > 1) {
        snprintf(text + n, sizeof text - (size_t)n,
                 " %zu trees tie with the fastest, %s; the one with the fewest processes is "
                 "recommended.",
                 d->n_tied, d->choices[d->fastest].spec);
    }
    fputc('\n', to);
    tan_text_wrap(to, text, 0, 0);
}

static void print_host_rules(const struct tan_host_design *d, FILE *to)
{
    static const char *const headings[] = {"<rule", "<tree",  "height", "processes",
                                           "wave",  "slower", "<limits"};
    const struct tan_problem *p = &d->problem;
    const bool limited = p->max_fanout > 0 || p->max_height > 0 || p->max_processes > 0;
    struct tan_table *table = tan_table_create(headings, limited ? 7 : 6);
    char text[CELL];
    for (size_t i = 0; i < d->n_rules; i++) {
        const struct tan_host_tree *t = &d->rules[i];
        tan_table_cell(table, "%s", t->rule->name);
        tan_table_cell(table, "%s", t->spec);
        tan_table_cell(table, "%d", t->plan.height);
        tan_table_cell(table, "%" PRId64, t->plan.processes);
        tan_table_cell(table, "%s", exact_text(t->wave, text));
        tan_table_cell(table, "%s", slower_text(t->slower, t->tied && d->n_tied > 1, text));
        if (limited) {
            tan_table_cell(table, "%s", t->within_limits ? "kept" : "broken");
        }
    }
    fputs("\nWhat rules of thumb build for as many leaves\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_report_host_design(const struct tan_host_design *d, int listed, FILE *to)
{
    print_host_best(d, to);
    print_host_choices(d, listed, to);
    print_host_ties(d, to);
    print_host_rules(d, to);
}

/* Predictions */

static void print_forecast_levels(const struct tan_forecast *f, const struct tan_model *model,
                                  FILE *to)
{
    const struct tan_prediction *p = &f->prediction;
    const double gap = p->level[0].gap;
    const char *const headings[] = {
        "levels", "fanout", "latency", "overhead", gap > 0 ? "gap" : "cost", "cost"};
    struct tan_table *table = tan_table_create(headings, gap > 0.0 ? 6 : 5);
    char text[CELL];
    double latency = 0.0;
    double overhead = 0.0;
    for (int32_t i = 0, n; i < p->levels; i += n) {
        const struct tan_level *level = &p->level[i];
        for (n = 1; i + n < p->levels && p->level[i + n].fanout == level->fanout &&
                    p->level[i + n].cost == level->cost;) {
            n++;
        }
        if (n == 1) {
            tan_table_cell(table, "%" PRId32, i + 1);
        } else {
            tan_table_cell(table, "%" PRId32 "-%" PRId32 ", each", i + 1, i + n);
        }
        tan_table_cell(table, "%" PRId32, level->fanout);
        cost_cells(table, level->latency, level->overhead, level->gap);
        latency += n * level->latency;
        overhead += n * level->overhead;
    }
    tan_table_cell(table, "sum");
    tan_table_cell(table, "%s", "");
    cost_cells(table, latency, overhead, p->levels * gap);
    fprintf(to, "\n%s takes %s under %s;\nthe path that decides it, from the root down:\n\n",
            f->spec, exact_text(p->wave, text), model->name);
    tan_table_print(table, to);
    tan_table_destroy(table);
    const double once = p->wave - latency - overhead - p->levels * gap;
    if (once > TAN_SEARCH_EQUAL * p->wave) {
        fprintf(to, "and %s once for the wave (C)\n", exact_text(once, text));
    }
}

void tan_report_forecasts(const struct tan_forecast *forecasts, size_t n,
                          const struct tan_model *model, FILE *to)
{
    const bool host = n > 0 && forecasts[0].host_wave > 0.0;
    const char *headings[5 + TAN_FORECAST_MODELS] = {"<tree", "processes", "height", "fanout"};
    int columns = 4;
    char names[TAN_FORECAST_MODELS][32];
    char period[32];
    for (int m = 0; m < TAN_FORECAST_MODELS; m++) {
        const char *name = tan_models[m].name; /* "logp-serial" in two lines */
        const int first = (int)strcspn(name, "-") + (strchr(name, '-') != NULL);
        snprintf(names[m], sizeof names[m], "%.*s%s%s", first, name, name[first] ? "\n" : "",
                 name + first);
        headings[columns++] = names[m];
    }
    snprintf(period, sizeof period, "period\n(%s)", model->name);
    headings[columns++] = host ? TAN_HOST_MODEL : period;
    struct tan_table *table = tan_table_create(headings, columns);
    char text[CELL];
    char spec[NAME];
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        tan_table_cell(table, "%s", short_spec(f->spec, 19, spec));
        tan_table_cell(table, "%" PRId32, f->processes);
        tan_table_cell(table, "%" PRId32, f->height);
        tan_table_cell(table, "%" PRId32, f->max_fanout);
        for (int m = 0; m < TAN_FORECAST_MODELS; m++) {
            tan_table_cell(table, "%s", exact_text(f->by_model[m].wave, text));
        }
        tan_table_cell(table, "%s", exact_text(host ? f->host_wave : f->prediction.period, text));
    }
    fputs("\nWave times (half a round trip) that the models predict\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    for (size_t i = 0; i < n && !host; i++) {
        print_forecast_levels(&forecasts[i], model, to);
    }
}
