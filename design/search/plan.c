/* plan.c - a tree as seen by the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height)
{
    *plan = (struct tan_plan){.leaves = leaves};
    int64_t below = leaves; /* below the fullest node of this level */
    int64_t nodes = 1;      /* in this level */
    do {
        const int64_t fanout = smaller_of(fanouts[plan->height], below);
        plan->fanout[plan->height++] = fanout;
        plan->max_fanout = fanout > plan->max_fanout ? fanout : plan->max_fanout;
        below = tan_ceil_div(below, fanout);
        nodes = smaller_of(nodes * fanout, leaves);
        plan->internal += below > 1 ? nodes : 0;
    } while (below > 1 && plan->height < height);
    plan->processes = 1 + plan->internal + leaves;
    tan_plan_spread(plan);
}

void tan_plan_spread(struct tan_plan *plan)
{
    int64_t leaves = plan->leaves;
    for (int i = 0; i < plan->height; i++) {
        leaves = tan_ceil_div(leaves, plan->fanout[i]);
        plan->below[i] = leaves;
        plan->others[i] = (plan->fanout[i] - 1) * leaves;
    }
}

/* Times of nodes where requests and answers overlap */

struct costs {
    const struct tan_model *model;
    const struct tan_params *params;
};

double tan_even_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_even_node *node, double time, double fuller)
{
    const int64_t others = node->leaves > 0 ? node->fanout - node->fuller : 0;
    const struct tan_children more = {node->fuller, node->leaves + 1, fuller};
    const struct tan_children less = {others, node->leaves, time};
    const struct tan_children kind[] = {node->last ? less : more, node->last ? more : less};
    const int n = more.count > 0 && less.count > 0 ? 2 : 1;
    return model->node(params, n == 1 && kind[0].count == 0 ? &kind[1] : kind, n, node->root);
}

/* Nodes of a level have floor(leaves / nodes) leaves below them, or one more. */
static void time_levels(const struct costs *c, const struct tan_plan *plan, double *time)
{
    const bool binary = plan->rule == TAN_RULE_BINARY; /* a node with one leaf is that leaf */
    int64_t leaves[TAN_PLAN_LEVELS + 1] = {plan->leaves};
    bool full[TAN_PLAN_LEVELS + 1] = {true}; /* no node has more */
    for (int i = 0; i < plan->height; i++) {
        leaves[i + 1] = leaves[i] / plan->fanout[i];
        full[i + 1] = full[i] && leaves[i] % plan->fanout[i] == 0;
    }
    const double leaf = c->model->leaf(c->params);
    double less = leaf;
    double more = leaf;
    for (int i = plan->height - 1; i >= 0; i--) {
        struct tan_even_node node = {.fanout = plan->fanout[i],
                                     .fuller = leaves[i] - plan->fanout[i] * leaves[i + 1],
                                     .leaves = leaves[i + 1],
                                     .last = plan->rule == TAN_RULE_LAST,
                                     .root = i == 0};
        const double below[] = {less, more};
        less = leaves[i] == 0 || (binary && i > 0 && leaves[i] == 1)
                   ? leaf
                   : tan_even_time(c->model, c->params, &node, below[0], below[1]);
        node.fuller++;
        more = full[i] || (binary && leaves[i] == 0)
                   ? leaf
                   : tan_even_time(c->model, c->params, &node, below[0], below[1]);
        time[i] = full[i] ? less : more;
    }
}

/* Every level of a k-ary tree has as many nodes as k children each require, and lacks fewer than k:
 * `width` k - the next width. Node v's children begin with k v - floor(v lacks / width). */
struct kary {
    struct costs costs;
    int height;
    int64_t k;
    int64_t width[TAN_PLAN_LEVELS + 1];
    int64_t full[TAN_PLAN_LEVELS + 1]; /* leaves below a node of which no level lacks any */
    double time[TAN_PLAN_LEVELS + 1];  /* of such a node */
};

static struct kary kary_of(const struct tan_plan *plan)
{
    struct kary t = {.height = plan->height, .k = plan->width};
    t.width[t.height] = plan->leaves;
    t.full[t.height] = 1;
    for (int level = t.height - 1; level >= 0; level--) {
        t.width[level] = tan_ceil_div(t.width[level + 1], t.k);
        const int64_t below = t.full[level + 1];
        t.full[level] = t.k <= TAN_PLAN_MAX_LEAVES / below ? below * t.k : INT64_MAX;
    }
    return t;
}

static int64_t first_child(const struct kary *t, int level, int64_t node)
{
    const int64_t lacks = t->width[level] * t->k - t->width[level + 1];
    return t->k * node - node * lacks / t->width[level];
}

static int64_t leaves_below(const struct kary *t, int level, int64_t node)
{
    int64_t first = node;
    int64_t end = node + 1;
    for (; level < t->height; level++) {
        first = first_child(t, level, first);
        end = first_child(t, level, end);
    }
    return end - first;
}

static double kary_time(const struct kary *t, int level, int64_t node)
{
    const struct costs *c = &t->costs;
    const int64_t leaves = leaves_below(t, level, node);
    struct tan_children kind[TAN_CHILDREN_KINDS];
    int n = 0;
    if (leaves == t->full[level]) {
        return t->time[level];
    }
    if (level == t->height - 1) {
        kind[n++] = (struct tan_children){leaves, 1, t->time[t->height]};
    }
    const int64_t end = n > 0 ? 0 : first_child(t, level, node + 1);
    for (int64_t i = first_child(t, level, node); i < end; i++) {
        const struct tan_children child = {1, leaves_below(t, level + 1, i),
                                           kary_time(t, level + 1, i)};
        struct tan_children *same = n > 0 ? &kind[n - 1] : NULL;
        const bool more = n == TAN_CHILDREN_KINDS;
        if (same != NULL &&
            (more || (same->leaves == child.leaves && same->below == child.below))) {
            same->below = fmax(same->below, child.below);
            same->count++;
        } else {
            kind[n++] = child;
        }
    }
    return c->model->node(c->params, kind, n, level == 0);
}

static void time_kary(const struct costs *c, const struct tan_plan *plan, double *time)
{
    struct kary t = kary_of(plan);
    t.costs = *c;
    t.time[t.height] = c->model->leaf(c->params);
    for (int level = t.height - 1; level > 0; level--) {
        const struct tan_children all = {t.k, t.full[level + 1], t.time[level + 1]};
        time[level] = t.time[level] = c->model->node(c->params, &all, 1, false);
    }
    t.full[0] = 0; /* the root has a time of its own */
    time[0] = kary_time(&t, 0, 0);
}

int64_t tan_kary_most_below(const struct tan_plan *plan)
{
    const struct kary t = kary_of(plan);
    int64_t most = 0;
    for (int64_t i = 0; i < t.width[1]; i++) {
        const int64_t leaves = leaves_below(&t, 1, i);
        most = leaves > most ? leaves : most;
    }
    return most;
}

/* Over `nodes` nodes: the root's children are nodes 1, 2, 4, ..., each with as many nodes as its
 * number, but for the last, which has the rest. */
static double binomial_time(const struct costs *c, int64_t nodes, const double *complete, bool root)
{
    struct tan_children kind[TAN_PLAN_LEVELS + 2];
    int n = 0;
    for (int64_t size = 1; size < nodes; size *= 2, n++) {
        const int64_t rest = nodes - size;
        kind[n] = rest < size ? (struct tan_children){1, rest / 2 + (rest == 1),
                                                      binomial_time(c, rest, complete, false)}
                              : (struct tan_children){1, size / 2 + (size == 1), complete[n]};
    }
    return n == 0 ? complete[0] : c->model->node(c->params, kind, n, root);
}

static void time_binomial(const struct costs *c, const struct tan_plan *plan, double *time)
{
    double complete[TAN_PLAN_LEVELS + 2] = {c->model->leaf(c->params)}; /* of 2^i nodes */
    int64_t size = 2;
    for (int i = 1; size < 2 * plan->leaves; i++, size *= 2) {
        complete[i] = binomial_time(c, size, complete, false);
    }
    time[0] = binomial_time(c, 2 * plan->leaves, complete, true);
}

/* time[i]: of the fullest node at depth i of the plan's tree, time[0] that of the whole wave and
 * time[height] C, for a model with `node`. Of binary and binomial trees only time[0] is set.
 * O(height) evaluations of nodes; for a k-ary tree of height h, in which only some k h nodes differ
 * from the fullest of their depth, up to k h^2. Nodes with children of more than TAN_CHILDREN_KINDS
 * kinds in turn are priced as if the last ones were like their slowest. */
static void plan_times(const struct tan_plan *plan, const struct tan_model *model,
                       const struct tan_params *params, double time[TAN_PLAN_LEVELS + 1])
{
    static void (*const rules[])(const struct costs *, const struct tan_plan *, double *) = {
        [TAN_RULE_LEVELS] = time_levels,     [TAN_RULE_LAST] = time_levels,
        [TAN_RULE_KARY] = time_kary,         [TAN_RULE_BINARY] = time_levels,
        [TAN_RULE_BINOMIAL] = time_binomial,
    };
    const struct costs costs = {model, params};
    rules[plan->rule](&costs, plan, time);
    time[plan->height] = params->value[TAN_C0];
}

double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params)
{
    if (model->node != NULL) {
        double time[TAN_PLAN_LEVELS + 1];
        plan_times(plan, model, params, time);
        return time[level] - time[level + 1];
    }
    return tan_level_cost(model, params, plan->fanout[level], plan->below[level],
                          plan->others[level]);
}

double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params)
{
    if (model->node != NULL) {
        double time[TAN_PLAN_LEVELS + 1];
        plan_times(plan, model, params, time);
        return time[0];
    }
    double wave = params->value[TAN_C0];
    for (int i = 0; i < plan->height; i++) {
        wave += tan_plan_level(plan, i, model, params);
    }
    return wave;
}

void tan_plan_price(struct tan_plan *plan, const struct tan_model *model,
                    const struct tan_params *params)
{
    plan->wave = tan_plan_wave(plan, model, params);
    /* the widest node may be off the critical path */
    plan->period = tan_level_period(model, params, plan->max_fanout, 1, plan->max_fanout - 1);
    for (int i = 0; i < plan->height; i++) {
        plan->period = fmax(plan->period, tan_level_period(model, params, plan->fanout[i],
                                                           plan->below[i], plan->others[i]));
    }
}

/* Whether all nodes of each level have equal fanout. (The product of a file's fanouts may
 * overflow.) */
static bool is_full(const struct tan_plan *plan)
{
    int64_t nodes = 1;
    for (int i = 0; i < plan->height; i++) {
        if (plan->fanout[i] > plan->leaves / nodes) {
            return false;
        }
        nodes *= plan->fanout[i];
    }
    return nodes == plan->leaves;
}

int tan_plan_order(const struct tan_plan *a, const struct tan_plan *b)
{
    int order = (a->processes > b->processes) - (a->processes < b->processes);
    for (int i = 0; i < a->height && i < b->height && order == 0; i++) {
        order = (a->fanout[i] > b->fanout[i]) - (a->fanout[i] < b->fanout[i]);
    }
    order = order != 0 ? order : (a->height > b->height) - (a->height < b->height);
    return order != 0 || is_full(a) ? order : (a->rule > b->rule) - (a->rule < b->rule);
}

struct tan_text tan_plan_fanouts(const struct tan_plan *plan)
{
    static const char *const names[] = {
        [TAN_RULE_BINARY] = "binary", [TAN_RULE_BINOMIAL] = "binomial"};
    struct tan_text text = {""};
    if (plan->rule == TAN_RULE_KARY) {
        return tan_printed("kary:%" PRId64, plan->width);
    }
    if (plan->rule > TAN_RULE_KARY) {
        return tan_printed("%s", names[plan->rule]);
    }
    for (int i = 0; i < plan->height; i++) {
        text = tan_printed("%s%s%" PRId64, text.text, i == 0 ? "" : "x", plan->fanout[i]);
    }
    return plan->rule == TAN_RULE_LAST && !is_full(plan) ? tan_printed("%s:last", text.text) : text;
}

struct tan_text tan_plan_spec(const struct tan_plan *plan)
{
    struct tan_plan first = *plan;
    const bool last = plan->rule == TAN_RULE_LAST;
    first.rule = last ? TAN_RULE_LEVELS : plan->rule;
    const struct tan_text name = tan_plan_fanouts(&first);
    if (first.rule != TAN_RULE_LEVELS) {
        return tan_printed("%s:%" PRId64, name.text, plan->leaves);
    }
    return is_full(plan) ? tan_printed("levels:%s", name.text)
                         : tan_printed("levels:%s:%" PRId64 "%s", name.text, plan->leaves,
                                       last ? ":last" : "");
}

void tan_plans_clear(struct tan_plans *plans)
{
    free(plans->plan);
    *plans = (struct tan_plans){0};
}
