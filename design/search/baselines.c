/* baselines.c - trees built by common rules of thumb
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/baselines.h"

#include <math.h>

int64_t tan_ceil_root(int64_t value, int n)
{
    int64_t x = (int64_t)pow((double)value, 1.0 / n) - 1;
    for (x = x < 1 ? 1 : x;; x++) {
        double power = 1.0; /* exact: below 2^53 until it passes `value` */
        for (int i = 0; i < n && power < (double)value; i++) {
            power *= (double)x;
        }
        if (power >= (double)value) {
            return x;
        }
    }
}

int64_t tan_least_root(int64_t value, int n)
{
    const int64_t root = tan_ceil_root(value, n);
    return root < 2 ? 2 : root;
}

void tan_baseline_flat(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    (void)width;
    tan_plan_levels(plan, leaves, &leaves, 1);
}

/* At most `width` children everywhere, filled level by level from the leaves up. */
void tan_baseline_kary(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    *plan = (struct tan_plan){.rule = TAN_RULE_KARY, .width = width, .leaves = leaves};
    int64_t fanouts[TAN_PLAN_LEVELS]; /* leaf level first */
    int64_t nodes = leaves;
    do {
        const int64_t above = tan_ceil_div(nodes, width);
        fanouts[plan->height++] = tan_ceil_div(nodes, above);
        plan->internal += above > 1 ? above : 0;
        nodes = above;
    } while (nodes > 1);
    for (int i = 0; i < plan->height; i++) {
        plan->fanout[i] = fanouts[plan->height - 1 - i];
        plan->max_fanout = plan->fanout[i] > plan->max_fanout ? plan->fanout[i] : plan->max_fanout;
    }
    plan->processes = 1 + plan->internal + leaves;
    tan_plan_spread(plan);
    plan->below[0] = tan_kary_most_below(plan);
}

/* `height` levels of equal fanout, as small as possible. */
static void make_uniform(int height, int64_t leaves, struct tan_plan *plan)
{
    int64_t fanouts[TAN_PLAN_LEVELS];
    for (int i = 0; i < height; i++) {
        fanouts[i] = tan_ceil_root(leaves, height);
    }
    tan_plan_levels(plan, leaves, fanouts, height);
}

void tan_baseline_two(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    (void)width;
    make_uniform(2, leaves, plan);
}

void tan_baseline_capped(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    int height = 1;
    while (tan_ceil_root(leaves, height) > width) {
        height++;
    }
    make_uniform(height, leaves, plan);
}

void tan_baseline_binary(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    (void)width;
    *plan = (struct tan_plan){
        .rule = TAN_RULE_BINARY, .leaves = leaves, .max_fanout = leaves == 1 ? 1 : 2};
    int64_t below = leaves;
    do {
        plan->fanout[plan->height++] = plan->max_fanout;
        below = tan_ceil_div(below, 2);
    } while (below > 1);
    plan->internal = leaves > 2 ? leaves - 2 : 0;
    plan->processes = 1 + plan->internal + leaves;
    tan_plan_spread(plan);
}

/* Every odd node is a leaf. */
static int64_t leaves_of(int64_t nodes)
{
    return nodes == 1 ? 1 : nodes / 2;
}

/* The tree over nodes 0..size-1 hangs nodes 1, 2, 4, ... under 0. The last of these has the
 * remaining size - 2^k nodes, the one before it 2^(k-1), and both are smaller trees of the same
 * kind. The larger of the two contains the smaller, so it determines the wave time. */
void tan_baseline_binomial(int64_t width, int64_t leaves, struct tan_plan *plan)
{
    (void)width;
    *plan = (struct tan_plan){.rule = TAN_RULE_BINOMIAL, .leaves = leaves};
    for (int64_t nodes = 2 * leaves; nodes > 1;) {
        int64_t last = 1; /* the highest-numbered child */
        int64_t children = 1;
        for (; last * 2 < nodes; last *= 2) {
            children++;
        }
        const int64_t next = nodes - last > last / 2 ? nodes - last : last / 2;
        plan->fanout[plan->height] = children;
        plan->below[plan->height] = leaves_of(next);
        plan->others[plan->height++] = leaves_of(nodes) - leaves_of(next);
        nodes = next;
    }
    plan->max_fanout = plan->fanout[0];
    plan->internal = leaves - 1;
    plan->processes = 2 * leaves;
}
