/* design_trees.c - levels and trees of a design, in tables and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/design_trees.h"

#include <math.h>

#include "design/search/baselines.h"

#define AT(member) offsetof(struct tan_level_row, member)
const struct tan_field tan_level_fields[] = {
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

void tan_level_title(struct tan_json_writer *w, json_t *table, const char *title, double once)
{
    const bool any = once > 0.0;
    tan_json_set_string(w, table, "title",
                        tan_printed("%.320s%s%s%s", title, any ? ", and " : "",
                                    any ? tan_exact_text(once).text : "",
                                    any ? " once for the wave (C)" : "")
                            .text);
}

static void set_levels(struct tan_json_writer *w, json_t *levels, const struct tan_design *d,
                       const struct tan_plan *plan)
{
    const struct tan_problem *p = &d->problem;
    int64_t nodes = 1;
    for (int i = 0; i < plan->height; i++) {
        struct tan_level costs = {.latency = p->params->value[TAN_L],
                                  .gap = p->model->gap ? p->params->value[TAN_G] : 0.0,
                                  .cost = tan_plan_level(plan, i, p->model, p->params)};
        costs.overhead = fmax(costs.cost - costs.latency - costs.gap, 0.0); /* or rounded below */
        struct tan_level_row row = tan_level_row(&costs, plan->fanout[i], p->params);
        row.nodes = nodes;
        tan_fields_row(w, levels, tan_level_fields, &row);
        nodes *= row.fanout;
    }
}

#define AT(member) offsetof(struct tan_choice, member)
static const struct tan_field choice_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"most_lost", "one takes at most", TAN_FIELD_INT64, AT(plan.below)},
    {"topo", "tree", TAN_FIELD_SPEC, AT(plan)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"ci95_us", "95 % interval", TAN_FIELD_INTERVAL, AT(ci95)},
    {"mean_loss", NULL, TAN_FIELD_REAL, AT(mean_loss)},
    {"loss95", NULL, TAN_FIELD_REAL, AT(loss)},
    TAN_FIELDS_END,
};
#undef AT

void tan_design_set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                           const struct tan_choice *c)
{
    tan_fields_set(w, object, choice_fields, c);
    set_levels(w, tan_json_set_array(w, object, "levels"), d, &c->plan);
}

#define AT(member) offsetof(struct tan_comparison, member)
static const struct tan_field comparison_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"name", "rule", TAN_FIELD_NAME, AT(rule)},
    {"topo", "tree", TAN_FIELD_SPEC, AT(plan)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"within_limits", NULL, TAN_FIELD_FLAG, AT(within_limits)},
    TAN_FIELDS_END,
};
#undef AT

#define AT(member) offsetof(struct tan_compared, member)
static const struct tan_field compared_fields[] = {
    {"topo", "tree", TAN_FIELD_NAME, AT(spec)},
    {"leaves", "leaves", TAN_FIELD_INT64, AT(leaves)},
    {"processes", "processes", TAN_FIELD_INT64, AT(processes)},
    {"height", "height", TAN_FIELD_INT32, AT(height)},
    {"max_fanout", NULL, TAN_FIELD_INT32, AT(max_fanout)},
    {"most_lost", NULL, TAN_FIELD_INT32, AT(max_below)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"ci95_us", NULL, TAN_FIELD_INTERVAL, AT(ci95)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"difference_us", "difference", TAN_FIELD_TIME, AT(difference)},
    {"difference_ci95_us", "95 % interval of the difference", TAN_FIELD_INTERVAL,
     AT(difference_ci95)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    TAN_FIELDS_END,
};
#undef AT

/* Against the recommended tree, as in the answer's own table. */
static double slower_than_best(const struct tan_design *d, double wave)
{
    return wave / (d->any_shape.tree != NULL ? d->any_shape.wave : d->choices[0].plan.wave) - 1.0;
}

static void detail_choices(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                           int listed)
{
    json_t *rows = tan_fields_table(
        w,
        tan_reply_detail(w, answer,
                         d->any_shape.tree != NULL ? "The best trees with even levels"
                                                   : "The best trees of those that are searched"),
        choice_fields, "topo height processes wave_us slower period_us ci95_us");
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        struct tan_choice choice = d->choices[i];
        choice.slower = slower_than_best(d, choice.plan.wave);
        tan_fields_row(w, rows, choice_fields, &choice);
    }
}

static void detail_rules(struct tan_json_writer *w, json_t *answer, const struct tan_design *d)
{
    json_t *rows = tan_fields_table(
        w, tan_reply_detail(w, answer, "What rules of thumb build for as many leaves"),
        comparison_fields, "name topo height processes wave_us slower");
    for (size_t i = 0; i < d->n_comparisons; i++) {
        struct tan_comparison rule = d->comparisons[i];
        rule.slower = slower_than_best(d, rule.plan.wave);
        tan_fields_row(w, rows, comparison_fields, &rule);
    }
}

static void detail_compared(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                            const struct tan_compared *compared, size_t n)
{
    const struct tan_text title = tan_printed("The given trees, compared with %s, the fastest%s",
                                              tan_short_fanouts(&d->fastest).text,
                                              d->any_shape.tree != NULL ? " of even levels" : "");
    json_t *rows =
        tan_fields_table(w, tan_reply_detail(w, answer, title.text), compared_fields,
                         "topo leaves processes height wave_us difference_us difference_ci95_us");
    for (size_t i = 0; i < n; i++) {
        tan_fields_row(w, rows, compared_fields, &compared[i]);
    }
}

void tan_design_detail(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                       int listed, const struct tan_compared *compared, size_t n)
{
    json_t *levels = tan_reply_detail(w, answer, "");
    const struct tan_text title =
        tan_printed("Levels of %s, from the root", tan_short_fanouts(&d->choices[0].plan).text);
    tan_level_title(w, levels, title.text, d->problem.params->value[TAN_C0]);
    set_levels(w,
               tan_fields_table(w, levels, tan_level_fields,
                                "nodes fanout latency_us overhead_us gap_us cost_us"),
               d, &d->choices[0].plan);
    detail_choices(w, answer, d, listed);
    if (n > 0) {
        detail_compared(w, answer, d, compared, n);
    } else {
        detail_rules(w, answer, d);
    }
}

/* Everything, as JSON */

static void set_sureness(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (isfinite(d->probability)) {
        tan_json_set_fixed(w, top, "probability", d->probability, 4);
    }
    if (d->runner_up.exists) {
        json_t *next = tan_json_set_object(w, top, "runner_up");
        tan_json_set_string(w, next, "topo", tan_plan_spec(&d->runner_up.plan).text);
        tan_json_set_fixed(w, next, "probability", d->runner_up.probability, 4);
        tan_json_set_fixed(w, next, "mean_loss", d->runner_up.mean_loss, 6);
    }
    tan_report_set_sensitivities(w, top, d->ranges.row, d->ranges.n, d->problem.params->method);
}

static void set_heights(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (d->loss.n == 0) {
        return;
    }
    json_t *heights = tan_json_set_array(w, top, "heights");
    for (int i = 0; i < d->levels.n; i++) {
        json_t *row = tan_json_append_object(w, heights);
        tan_json_set_int(w, row, "height", d->levels.height[i].plan.height);
        tan_json_set_string(w, row, "topo", tan_plan_spec(&d->levels.height[i].plan).text);
        tan_json_set_fixed(w, row, "share", d->levels.height[i].share, 4);
    }
    if (d->levels.decide[0] != '\0') {
        tan_json_set_string(w, top, "measure", d->levels.decide);
    }
}

static void set_by_other(struct tan_json_writer *w, json_t *top, const char *key,
                         const struct tan_by_other *other)
{
    if (other->exists) {
        json_t *object = tan_json_set_object(w, top, key);
        tan_report_set_us(w, object, "wave_us", other->wave);
        tan_report_set_us(w, object, "tree_us", other->best_wave);
        tan_fields_set(w, tan_json_set_object(w, object, "tree"), comparison_fields, &other->best);
    }
}

/* What is known of trees of any shape. */
static void set_any_shape(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    const struct tan_any_shape *any = &d->any_shape;
    if (any->tree == NULL && isnan(any->bound)) {
        return;
    }
    json_t *object = tan_json_set_object(w, top, "any_shape");
    tan_report_set_us(w, object, "bound_us", any->bound);
    if (any->tree != NULL) {
        tan_report_set_us(w, object, "wave_us", any->wave);
        tan_json_set_fixed(w, object, "less", 1.0 - any->wave / d->fastest.wave, 6);
        tan_json_set_int(w, object, "processes", tan_tree_size(any->tree));
        tan_json_set_int(w, object, "height", tan_tree_height(any->tree));
        tan_json_set_int(w, object, "max_fanout", tan_tree_max_fanout(any->tree));
    }
}

/* Figures */

static void append_us(struct tan_json_writer *w, json_t *array, double seconds)
{
    tan_json_append(
        w, array, isfinite(seconds) ? tan_json_us_digits(seconds, TAN_REPORT_DIGITS) : json_null());
}

/* A rule for the fanout; width 0: unused. */
struct rule {
    const char *name;
    tan_baseline *tree;
    int64_t width;
};

static const struct rule rules[] = {{"flat", tan_baseline_flat, 0},
                                    {"at most 16 children", tan_baseline_kary, 16},
                                    {"at most 50 children", tan_baseline_kary, 50},
                                    {"binomial", tan_baseline_binomial, 0}};
enum { RULES = sizeof rules / sizeof rules[0] };

/* About how many messages are followed one by one to price a tree: up to `fanout` nodes of a level
 * differ. */
static double messages_of(const struct tan_plan *plan)
{
    double messages = 0.0;
    double nodes = 1.0;
    for (int i = 0; i < plan->height; i++) {
        const double fanout = (double)plan->fanout[i];
        messages += fmin(nodes, fanout) * fanout;
        nodes *= fanout;
    }
    return messages;
}

/* NaN where no formula applies and it takes long to follow the messages: curves have hundreds of
 * points. */
static double wave_by_rule(const struct rule *rule, const struct tan_problem *p, int64_t leaves)
{
    const double many = 50000.0;
    struct tan_plan plan;
    rule->tree(rule->width, leaves, &plan);
    return tan_search_proves(p) || messages_of(&plan) <= many
               ? tan_plan_wave(&plan, p->model, p->params)
               : NAN;
}

static void set_by_fanout(struct tan_json_writer *w, json_t *figures, const struct tan_problem *p)
{
    json_t *object = tan_json_set_object(w, figures, "by_fanout");
    json_t *fanouts = tan_json_set_array(w, object, "max_fanout");
    json_t *waves = tan_json_set_array(w, object, "wave_us");
    for (double k = 2.0; k <= (double)p->leaves; k = fmax(k * 1.07, k + 1.0)) {
        const struct rule at_most = {"", tan_baseline_kary, (int64_t)k};
        tan_json_append(w, fanouts, json_integer(at_most.width));
        append_us(w, waves, wave_by_rule(&at_most, p, p->leaves));
    }
}

/* The best wave over all trees, ignoring the problem's limits. NaN if the search fails. */
static double best_wave(const struct tan_problem *p, int64_t leaves)
{
    const struct tan_problem free_one = {.leaves = leaves, .model = p->model, .params = p->params};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plan plan;
    return tan_search_best(&free_one, &plan, &e) < 0 ? NAN : plan.wave;
}

static int64_t next_leaves(int64_t n)
{
    return n + (n < 8 ? 1 : n / 4);
}

static bool beats_flat(const struct rule *rule, const struct tan_problem *p, int64_t leaves)
{
    return wave_by_rule(rule, p, leaves) < wave_by_rule(&rules[0], p, leaves);
}

/* The smallest number of leaves for which a rule beats the flat tree; more than `most` if there is
 * none. */
static int64_t first_beaten(const struct rule *rule, const struct tan_problem *p, int64_t most)
{
    int64_t low = 1;
    int64_t high = 2;
    while (high <= most && !beats_flat(rule, p, high)) {
        low = high;
        high = next_leaves(high);
    }
    while (high <= most && low + 1 < high) {
        const int64_t middle = low + (high - low) / 2;
        *(beats_flat(rule, p, middle) ? &high : &low) = middle;
    }
    return high;
}

static void append_rule(struct tan_json_writer *w, json_t *list, const struct rule *rule,
                        const struct tan_problem *p, const int64_t *leaves, int n)
{
    json_t *object = tan_json_append_object(w, list);
    tan_json_set_string(w, object, "name", rule->name);
    json_t *waves = tan_json_set_array(w, object, "wave_us");
    for (int i = 0; i < n; i++) {
        append_us(w, waves, wave_by_rule(rule, p, leaves[i]));
    }
    const int64_t beaten = rule == &rules[0] ? INT64_MAX : first_beaten(rule, p, leaves[n - 1]);
    if (beaten <= leaves[n - 1]) {
        json_t *from = tan_json_set_object(w, object, "beats_flat");
        tan_json_set_int(w, from, "leaves", beaten);
        tan_report_set_us(w, from, "flat_us", wave_by_rule(&rules[0], p, beaten));
    }
}

/* Numbers of leaves from 2 to eight times the design's, but at least 64 and at most 10^10, in steps
 * of a quarter; includes the design's own, and the last for which the flat tree is best. Returns
 * their number, at most `most`. */
static int leaves_of_curves(const struct tan_design *d, int64_t *leaves, int most)
{
    const int64_t far = INT64_C(10000000000); /* a search takes 10 ms there */
    const int64_t wanted = d->problem.leaves > 8 ? 8 * d->problem.leaves : 64;
    const int64_t marks[] = {d->flat.until, d->problem.leaves};
    const int64_t last = wanted < far ? wanted : far;
    int count = 0;
    for (int64_t n = 2; n <= last && count < most; count++) {
        leaves[count] = n;
        const int64_t from = n;
        n = next_leaves(n);
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            n = from < marks[i] && marks[i] < n ? marks[i] : n;
        }
    }
    return count;
}

/* Searches get slower with the number of leaves: from DENSE leaves on, search only for every tenth
 * number, and for the design's own. */
static void set_by_leaves(struct tan_json_writer *w, json_t *figures, const struct tan_design *d)
{
    enum { MOST = 160, DENSE = 100000, SPARSE = 10 };
    int64_t leaves[MOST];
    const struct tan_problem *p = &d->problem;
    const int n = leaves_of_curves(d, leaves, MOST);
    json_t *object = tan_json_set_object(w, figures, "by_leaves");
    json_t *numbers = tan_json_set_array(w, object, "leaves");
    json_t *best = tan_json_set_array(w, object, "best_us");
    for (int i = 0; i < n; i++) {
        const bool searched = leaves[i] < DENSE || i % SPARSE == 0 || leaves[i] == p->leaves;
        tan_json_append(w, numbers, json_integer(leaves[i]));
        append_us(w, best, searched ? best_wave(p, leaves[i]) : NAN);
    }
    json_t *list = tan_json_set_array(w, object, "rules");
    for (int k = 0; k < RULES; k++) {
        append_rule(w, list, &rules[k], p, leaves, n);
    }
}

/* Effect of 10 % more of each parameter on the recommended tree's wave. */
static void set_by_parameter(struct tan_json_writer *w, json_t *figures, const struct tan_design *d)
{
    const struct tan_problem *p = &d->problem;
    const struct tan_plan *plan = &d->choices[0].plan;
    const struct tan_any_shape *any = &d->any_shape;
    static const int params[] = {TAN_L, TAN_A, TAN_B, TAN_C2};
    json_t *list = tan_json_set_array(w, figures, "by_parameter");
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++) {
        const int param = params[i];
        struct tan_params more = *p->params;
        more.value[param] *= 1.1;
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "parameter", tan_param_key(p->params->method, param));
        tan_report_set_us(w, row, "value_us", p->params->value[param]);
        const double wave = any->tree != NULL ? tan_wave_time(p->model, &more, any->tree)
                                              : tan_plan_wave(plan, p->model, &more);
        tan_json_set_fixed(w, row, "tenth_more", slower_than_best(d, wave), 8);
    }
}

/* Data for figures: wave times over fanouts, leaves and parameters. Takes a few milliseconds up to
 * some 10^5 leaves, tens of them beyond. */
static void set_figures(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    json_t *figures = tan_json_set_object(w, top, "figures");
    if (d->problem.leaves > 1) {
        set_by_fanout(w, figures, &d->problem);
        set_by_leaves(w, figures, d);
    }
    set_by_parameter(w, figures, d);
}

/* All */

void tan_design_set(struct tan_json_writer *w, json_t *top, const struct tan_design *d, int listed,
                    const struct tan_compared *compared, size_t n_compared,
                    const struct tan_basis *from)
{
    const struct tan_problem *p = &d->problem;
    static const char *const spreads[] = {[TAN_SPREAD_UNKNOWN] = "none",
                                          [TAN_SPREAD_CI95] = "ci95",
                                          [TAN_SPREAD_DRAWS] = "bootstrap"};
    static const struct tan_field plan_fields[] = {TAN_PLAN_FIELDS(0), TAN_FIELDS_END};
    tan_report_set_waves(w, top, from);
    tan_report_set_limits(w, top, p);
    tan_json_set_string(w, top, "error_bars", spreads[d->spread]);
    tan_json_set_string(w, top, "best_of", tan_best_of_text(p));
    if (d->bound > 0.0) {
        tan_report_set_us(w, top, "bound_us", d->bound);
    }
    tan_json_set_int(w, top, "compared", (json_int_t)d->n_choices);
    tan_json_set_int(w, top, "tied", (json_int_t)d->n_tied);
    tan_design_set_choice(w, tan_json_set_object(w, top, "best"), d, &d->choices[0]);
    tan_fields_set(w, tan_json_set_object(w, top, "fastest"), plan_fields, &d->fastest);
    if (d->fewer_levels.height > 0) {
        tan_fields_set(w, tan_json_set_object(w, top, "fewer_levels"), plan_fields,
                       &d->fewer_levels);
    }
    if (d->more_levels.height > 0) {
        tan_fields_set(w, tan_json_set_object(w, top, "more_levels"), plan_fields, &d->more_levels);
    }
    set_heights(w, top, d);
    tan_json_set_count(w, top, "flat_until", d->flat.until);
    if (d->flat.until > 0 && d->flat.ci95.low <= d->flat.ci95.high) {
        tan_json_set_pair(w, top, "flat_until_ci95", json_integer((json_int_t)d->flat.ci95.low),
                          json_integer((json_int_t)d->flat.ci95.high));
    }
    set_sureness(w, top, d);
    json_t *candidates = tan_json_set_array(w, top, "candidates");
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        tan_design_set_choice(w, tan_json_append_object(w, candidates), d, &d->choices[i]);
    }
    json_t *baselines = tan_json_set_array(w, top, "baselines");
    for (size_t i = 0; i < d->n_comparisons; i++) {
        tan_fields_set(w, tan_json_append_object(w, baselines), comparison_fields,
                       &d->comparisons[i]);
    }
    set_by_other(w, top, "logp", &d->by.logp);
    set_by_other(w, top, "tan", &d->by.tan);
    set_by_other(w, top, "loggpo", &d->by.loggpo);
    set_any_shape(w, top, d);
    json_t *given = n_compared > 0 ? tan_json_set_array(w, top, "given_trees") : NULL;
    for (size_t i = 0; i < n_compared; i++) {
        tan_fields_set(w, tan_json_append_object(w, given), compared_fields, &compared[i]);
    }
    set_figures(w, top, d);
}
