/* plan.c - a tree as seen by the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "topo/spec.h"

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height)
{
    *plan = (struct tan_plan){.leaves = leaves, .levels = true};
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

/* The time of the node at `level` on the critical path, for a model with `node`. */
static double node_time(const struct tan_plan *plan, int level, const struct tan_model *model,
                        const struct tan_params *params)
{
    double time = model->leaf(params);
    for (int i = plan->height - 1; i >= level; i--) {
        const struct tan_children all = {plan->fanout[i], plan->below[i], time};
        time = model->node(params, &all, 1, i == 0);
    }
    return time;
}

static double share_of(const struct tan_plan *plan)
{
    return plan->share > 0.0 ? plan->share : 1.0;
}

double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params)
{
    if (model->node != NULL) {
        const bool last = level == plan->height - 1;
        return share_of(plan) *
               (node_time(plan, level, model, params) -
                (last ? params->value[TAN_C0] : node_time(plan, level + 1, model, params)));
    }
    return tan_level_cost(model, params, plan->fanout[level], plan->below[level],
                          plan->others[level]);
}

double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params)
{
    if (model->node != NULL) {
        return share_of(plan) * node_time(plan, 0, model, params);
    }
    double wave = params->value[TAN_C0];
    for (int i = 0; i < plan->height; i++) {
        wave += tan_plan_level(plan, i, model, params);
    }
    return wave;
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

/* The tree, if its nodes differ within a level; NULL if they do not, or if it is too large to
 * build. */
static struct tan_tree *uneven_tree(const struct tan_plan *plan, const char *spec)
{
    enum { MOST_LEAVES = 8192 };
    struct tan_error ignored = TAN_ERROR_INIT;
    return plan->leaves > MOST_LEAVES || (plan->levels && is_full(plan))
               ? NULL
               : tan_spec_build(spec, &ignored);
}

void tan_plan_price_spec(struct tan_plan *plan, const char *spec, const struct tan_model *model,
                         const struct tan_params *params)
{
    plan->share = 1.0;
    if (model->node != NULL) {
        struct tan_tree *tree = uneven_tree(plan, spec);
        const double wave = tree == NULL ? NAN : tan_wave_time(model, params, tree);
        const double full = tan_plan_wave(plan, model, params);
        plan->share = wave > 0.0 && full > 0.0 ? wave / full : 1.0;
        tan_tree_destroy(tree);
    }
    plan->wave = tan_plan_wave(plan, model, params);
    /* the widest node may be off the critical path */
    plan->period = tan_level_period(model, params, plan->max_fanout, 1, plan->max_fanout - 1);
    for (int i = 0; i < plan->height; i++) {
        plan->period = fmax(plan->period, tan_level_period(model, params, plan->fanout[i],
                                                           plan->below[i], plan->others[i]));
    }
}

void tan_plan_price(struct tan_plan *plan, const struct tan_model *model,
                    const struct tan_params *params)
{
    char spec[280];
    tan_plan_price_spec(plan, tan_plan_spec(plan, spec, sizeof spec), model, params);
}

bool tan_plan_is(const struct tan_plan *a, const struct tan_plan *b)
{
    return a->height == b->height &&
           memcmp(a->fanout, b->fanout, (size_t)a->height * sizeof a->fanout[0]) == 0;
}

int tan_plan_order(const struct tan_plan *a, const struct tan_plan *b)
{
    int order = (a->processes > b->processes) - (a->processes < b->processes);
    for (int i = 0; i < a->height && i < b->height && order == 0; i++) {
        order = (a->fanout[i] > b->fanout[i]) - (a->fanout[i] < b->fanout[i]);
    }
    return order != 0 ? order : (a->height > b->height) - (a->height < b->height);
}

const char *tan_plan_fanouts(const struct tan_plan *plan, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < plan->height && used < size; i++) {
        const int n =
            snprintf(buffer + used, size - used, "%s%" PRId64, i == 0 ? "" : "x", plan->fanout[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

const char *tan_plan_spec(const struct tan_plan *plan, char *buffer, size_t size)
{
    char fanouts[256];
    tan_plan_fanouts(plan, fanouts, sizeof fanouts);
    if (is_full(plan)) {
        snprintf(buffer, size, "levels:%s", fanouts);
    } else {
        snprintf(buffer, size, "levels:%s:%" PRId64, fanouts, plan->leaves);
    }
    return buffer;
}
