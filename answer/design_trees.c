/* design_trees.c - levels and trees of a design: the best, by rules of thumb, and given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/design_trees.h"

#include <inttypes.h>
#include <math.h>

#include "answer/phrases.h"
#include "base/table.h"
#include "base/text.h"
#include "design/choice/pareto.h"
#include "design/search/limits.h"

#define AT(member) offsetof(struct tan_level_row, member)
const struct tan_field tan_level_fields[] = {
    {".level", "level", TAN_FIELD_CELL, 0},
    {".levels", "levels", TAN_FIELD_CELL, 0},
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"nodes", "nodes", TAN_FIELD_KNOWN, AT(nodes)},
    {"latency_us", "latency", TAN_FIELD_TIME, AT(latency)},
    {"overhead_us", "overhead", TAN_FIELD_TIME, AT(overhead)},
    {"work_us", NULL, TAN_FIELD_TIME, AT(work)},
    {"gap_us", "gap", TAN_FIELD_TIME, AT(gap)},
    {"cost_us", "cost", TAN_FIELD_TIME, AT(cost)},
    TAN_FIELDS_END,
};
#undef AT

struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params)
{
    const bool split = !params->unidentified[TAN_L];
    return (struct tan_level_row){
        .fanout = fanout,
        .latency = split ? level->latency : NAN,
        .overhead = split ? level->overhead : NAN,
        .work = params->work > 0.0 ? tan_level_work(params, fanout) : NAN,
        .gap = level->gap,
        .cost = level->cost,
    };
}

void tan_level_list(struct tan_listing *listing, const struct tan_level_row *row, int n,
                    const char *label, const char *fanout, struct tan_level_row *sum)
{
    char text[TAN_CELL];
    const bool gap = row->gap > 0.0 && !isnan(row->latency); /* only if the other parts are known */
    const char *const cells[] = {label, fanout, gap ? tan_exact_text(row->gap, text) : ""};
    tan_listing_add(listing, row, cells);
    if (sum != NULL) {
        sum->latency += n * row->latency;
        sum->overhead += n * row->overhead;
        sum->gap += n * row->gap;
        sum->cost += n * row->cost;
    }
}

/* Levels */

static struct tan_level_row level_of(const struct tan_design *d, const struct tan_plan *plan,
                                     int level, int64_t nodes)
{
    const struct tan_problem *p = &d->problem;
    struct tan_level costs = {.latency = p->params->value[TAN_L],
                              .gap = p->model->gap ? p->params->value[TAN_G] : 0.0,
                              .cost = tan_plan_level(plan, level, p->model, p->params)};
    costs.overhead = costs.cost - costs.latency - costs.gap;
    struct tan_level_row row = tan_level_row(&costs, plan->fanout[level], p->params);
    row.nodes = nodes;
    return row;
}

void tan_design_print_levels(const struct tan_design *d, const struct tan_plan *plan, FILE *to)
{
    struct tan_listing table =
        tan_listing_create(tan_level_fields, ".level= nodes fanout= " TAN_LEVEL_COSTS);
    struct tan_level_row sum = {.nodes = plan->internal + 1};
    char fanout[TAN_CELL];
    int64_t nodes = 1;
    for (int i = 0; i < plan->height; i++) {
        const struct tan_level_row row = level_of(d, plan, i, nodes);
        const int64_t least = plan->leaves / nodes;
        char label[16];
        snprintf(label, sizeof label, "%d", i + 1);
        /* only the last level may have to spread its leaves unevenly */
        if (i == plan->height - 1 && least < row.fanout) {
            snprintf(fanout, sizeof fanout, "%" PRId64 "-%" PRId64, least, row.fanout);
        } else {
            snprintf(fanout, sizeof fanout, "%" PRId64, row.fanout);
        }
        tan_level_list(&table, &row, 1, label, fanout, &sum);
        nodes *= row.fanout;
    }
    tan_level_list(&table, &sum, 1, "sum", "", NULL);
    tan_listing_print(&table, to);
    if (d->problem.params->value[TAN_C0] > 0.0) {
        fprintf(to, "and %s once for the wave (C)\n",
                tan_exact_text(d->problem.params->value[TAN_C0], fanout));
    }
}

/* The best ones */

#define AT(member) offsetof(struct tan_choice, member)
static const struct tan_field choice_fields[] = {
    {".number", "", TAN_FIELD_CELL, 0},
    TAN_PLAN_FIELDS(AT(plan)),
    {"most_lost", NULL, TAN_FIELD_INT64, AT(plan.below)},
    {"topo", NULL, TAN_FIELD_SPEC, AT(plan)},
    {"slower", "slower than\nthe best", TAN_FIELD_REAL, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"ci95_us", "95 % interval\nof the wave", TAN_FIELD_INTERVAL, AT(ci95)},
    {"mean_loss", NULL, TAN_FIELD_REAL, AT(mean_loss)},
    {"loss95", NULL, TAN_FIELD_REAL, AT(loss)},
    TAN_FIELDS_END,
};
#undef AT

void tan_design_print_choices(const struct tan_design *d, int listed, FILE *to)
{
    const size_t n = d->n_choices < (size_t)listed ? d->n_choices : (size_t)listed;
    struct tan_listing table = tan_listing_create(
        choice_fields, ".number= fanouts height processes wave_us slower= period_us ci95_us");
    for (size_t i = 0; i < n; i++) {
        const struct tan_choice *c = &d->choices[i];
        char number[24];
        char text[TAN_CELL];
        const char *const cells[] = {
            number, c->tied && d->n_tied == 1 ? "best" : tan_slower_text(c->slower, c->tied, text)};
        snprintf(number, sizeof number, "%zu", i + 1);
        tan_listing_add(&table, c, cells);
    }
    if (n > 1) {
        fprintf(to, "\nThe %zu best trees\n\n", n);
        tan_listing_print(&table, to);
    } else {
        tan_table_destroy(table.table);
    }
    if (d->cut) {
        fputs("\nToo many trees take almost the same time to tell which come next.\n", to);
    } else if (d->n_choices == 1 && listed > 1) {
        char within[TAN_SENTENCE];
        fprintf(to, "\nThere is no other tree%s.\n",
                tan_within_text(&d->problem, within, sizeof within));
    }
}

void tan_design_set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                           const struct tan_choice *c)
{
    int64_t nodes = 1;
    tan_fields_set(w, object, choice_fields, c);
    json_t *levels = tan_json_set_array(w, object, "levels");
    for (int i = 0; i < c->plan.height; i++) {
        const struct tan_level_row row = level_of(d, &c->plan, i, nodes);
        tan_fields_set(w, tan_json_append_object(w, levels), tan_level_fields, &row);
        nodes *= row.fanout;
    }
}

/* Rules of thumb */

/* Whether a tree keeps the limits: "" without limits, "kept", "broken", or the name of the
 * objective if the tree only misses that. */
static const char *limits_text(const struct tan_problem *p, bool kept, int64_t max_fanout,
                               int64_t height, int64_t processes, int64_t most_lost)
{
    const bool missed =
        !kept && p->objective != NULL &&
        tan_limits_allow(tan_problem_asked(p), max_fanout, height, processes, most_lost);
    return tan_limits_first(p) == NULL ? ""
           : kept                      ? "kept"
           : missed                    ? p->objective->name
                                       : "broken";
}

#define AT(member) offsetof(struct tan_comparison, member)
const struct tan_field tan_comparison_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"name", "<rule", TAN_FIELD_NAME, AT(rule)},
    {"topo", "<tree", TAN_FIELD_STRING, AT(spec)},
    {"slower", "slower than\nthe best", TAN_FIELD_REAL, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"within_limits", "<limits", TAN_FIELD_FLAG, AT(within_limits)},
    TAN_FIELDS_END,
};
#undef AT

static void list_rule(struct tan_listing *table, const struct tan_design *d,
                      const struct tan_comparison *c)
{
    char spec[TAN_NAME];
    char slower[TAN_CELL];
    const char *const cells[] = {tan_short_spec(c->spec, 24, spec),
                                 tan_slower_text(c->slower, c->tied, slower),
                                 limits_text(&d->problem, c->within_limits, c->plan.max_fanout,
                                             c->plan.height, c->plan.processes, c->plan.below[0])};
    tan_listing_add(table, c, cells);
}

/* Whether a tree within the limits, which the search does not consider, is faster. */
static bool any_faster(const struct tan_design *d)
{
    bool faster = false;
    for (size_t i = 0; i < d->n_comparisons; i++) {
        const struct tan_comparison *c = &d->comparisons[i];
        faster |= c->within_limits && c->slower < -TAN_SEARCH_EQUAL;
    }
    return faster;
}

void tan_design_print_comparisons(const struct tan_design *d, FILE *to)
{
    struct tan_listing table = tan_listing_create(
        tan_comparison_fields, "name topo= height processes wave_us slower= within_limits=");
    const struct tan_by_other *const others[] = {&d->logp, &d->tan, &d->loggpo};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i]->exists) {
            list_rule(&table, d, &others[i]->best);
        }
    }
    for (size_t i = 0; i < d->n_comparisons; i++) {
        list_rule(&table, d, &d->comparisons[i]);
    }
    fprintf(to, "\nWhat %srules of thumb build for as many leaves\n\n",
            d->tan.exists    ? "LogP, TAN and "
            : d->logp.exists ? "LogP and "
                             : "");
    tan_listing_print(&table, to);
    if (any_faster(d)) {
        tan_text_say(to,
                     "\nNegative differences: only even and k-ary trees are searched, and trees "
                     "of other shapes may be faster.");
    }
}

/* Given trees */

#define AT(member) offsetof(struct tan_compared, member)
const struct tan_field tan_compared_fields[] = {
    {"topo", "<tree", TAN_FIELD_NAME, AT(spec)},
    {"leaves", NULL, TAN_FIELD_INT64, AT(leaves)},
    {"processes", "processes", TAN_FIELD_INT64, AT(processes)},
    {"height", "height", TAN_FIELD_INT32, AT(height)},
    {"max_fanout", NULL, TAN_FIELD_INT32, AT(max_fanout)},
    {"most_lost", NULL, TAN_FIELD_INT32, AT(max_below)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"ci95_us", NULL, TAN_FIELD_INTERVAL, AT(ci95)},
    {"slower", "slower than\nthe best", TAN_FIELD_REAL, AT(slower)},
    {"difference_us", "difference", TAN_FIELD_TIME, AT(difference)},
    {"difference_ci95_us", "95 % interval\nof the difference", TAN_FIELD_INTERVAL,
     AT(difference_ci95)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {".limits", "<limits", TAN_FIELD_CELL, 0},
    TAN_FIELDS_END,
};

/* "+12.3 us", "-0.1 us" */
static const char *difference_text(double seconds, struct tan_interval ci95, char buffer[TAN_CELL])
{
    char text[TAN_CELL];
    tan_end_text(fabs(seconds), ci95, text);
    snprintf(buffer, TAN_CELL, "%s%.48s", seconds < 0.0 ? "-" : "+", text);
    return buffer;
}

static const char *difference_interval(struct tan_interval ci95, char buffer[TAN_CELL])
{
    char low[TAN_CELL];
    char high[TAN_CELL];
    if (!tan_interval_known(ci95)) {
        return "";
    }
    if (!tan_is_wide(ci95)) {
        return difference_text(ci95.low, ci95, buffer);
    }
    difference_text(ci95.low, ci95, low);
    difference_text(ci95.high, ci95, high);
    tan_join_ends(low, high, buffer);
    return buffer;
}

/* The spec is shortened so that lines with waves up to 1 ms have at most 100 columns. */
static void list_compared(struct tan_listing *table, const struct tan_design *d,
                          const struct tan_compared *c, bool best)
{
    const struct tan_problem *p = &d->problem;
    const bool kept =
        best || tan_limits_allow(p, c->max_fanout, c->height, c->processes, c->max_below);
    const char *limits = limits_text(p, kept, c->max_fanout, c->height, c->processes, c->max_below);
    const bool narrow = d->spread != TAN_SPREAD_UNKNOWN && limits[0] != '\0';
    char spec[TAN_NAME];
    char slower[TAN_CELL] = "best";
    char difference[TAN_CELL] = "";
    char interval[TAN_CELL];
    if (c->leaves != p->leaves) {
        snprintf(slower, sizeof slower, "%" PRId64 " %s", c->leaves, tan_leaves_text(c->leaves));
    } else if (!best) {
        tan_slower_text(c->slower, c->tied, slower);
    }
    if (!best) {
        difference_text(c->difference, TAN_INTERVAL_UNKNOWN, difference);
    }
    const char *const cells[] = {tan_short_spec(c->spec, narrow ? 15 : 21, spec), slower,
                                 difference, difference_interval(c->difference_ci95, interval),
                                 limits};
    tan_listing_add(table, c, cells);
}

void tan_design_print_compared(const struct tan_design *d, const struct tan_compared *compared,
                               size_t n, FILE *to)
{
    const struct tan_plan *best = &d->choices[0].plan;
    struct tan_listing table = tan_listing_create(
        tan_compared_fields, "topo= height processes wave_us slower= difference_us= "
                             "difference_ci95_us= .limits=");
    char spec[TAN_DESIGN_SPEC];
    const struct tan_compared first = {.spec = tan_plan_spec(best, spec, sizeof spec),
                                       .processes = best->processes,
                                       .leaves = best->leaves,
                                       .height = best->height,
                                       .wave = best->wave,
                                       .difference_ci95 = TAN_INTERVAL_UNKNOWN};
    size_t others = 0; /* trees with another number of leaves */
    size_t faster = 0; /* of those that the search did not evaluate */
    list_compared(&table, d, &first, true);
    for (size_t i = 0; i < n; i++) {
        const bool same = compared[i].leaves == d->problem.leaves;
        list_compared(&table, d, &compared[i], false);
        others += !same;
        faster += same && d->problem.model->node != NULL &&
                  compared[i].wave < best->wave * (1 - TAN_SEARCH_EQUAL);
    }
    fputs("\nThe given trees, compared with the best\n\n", to);
    tan_listing_print(&table, to);
    if (faster > 0) {
        fprintf(to,
                "\nFaster than the tree above: %zu. Under %s the search is among even and k-ary "
                "trees.\n",
                faster, d->problem.model->name);
    }
    if (others > 0) {
        fprintf(to,
                "\nThe best tree has %" PRId64
                " %s. Times of trees with other leaves do not compare "
                "with its time.\n",
                d->problem.leaves, tan_leaves_text(d->problem.leaves));
    }
}
