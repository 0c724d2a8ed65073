/* plan.c - a tree in the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height)
{
    *plan = (struct tan_plan){.leaves = leaves};
    int64_t below = leaves; /* leaves of the fullest node of this level */
    int64_t nodes = 1;      /* of this level */
    do {
        const int64_t fanout = smaller(fanouts[plan->height], below);
        plan->fanout[plan->height++] = fanout;
        plan->max_fanout = fanout > plan->max_fanout ? fanout : plan->max_fanout;
        below = (below + fanout - 1) / fanout;
        nodes = smaller(nodes * fanout, leaves);
        plan->internal += below > 1 ? nodes : 0;
    } while (below > 1 && plan->height < height);
    plan->processes = 1 + plan->internal + leaves;
    tan_plan_spread(plan);
}

void tan_plan_spread(struct tan_plan *plan)
{
    int64_t leaves = plan->leaves;
    for (int i = 0; i < plan->height; i++) {
        leaves = (leaves + plan->fanout[i] - 1) / plan->fanout[i];
        plan->below[i] = leaves;
        plan->others[i] = (plan->fanout[i] - 1) * leaves;
    }
}

double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params)
{
    return tan_level_cost(model, params, plan->fanout[level], plan->below[level],
                          plan->others[level]);
}

double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params)
{
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
    plan->period = tan_level_cost(model, params, plan->max_fanout, 1, plan->max_fanout - 1);
    for (int i = 0; i < plan->height; i++) {
        plan->period = fmax(plan->period, tan_plan_level(plan, i, model, params));
    }
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
    int64_t room = 1;
    for (int i = 0; i < plan->height; i++) {
        room *= plan->fanout[i];
    }
    tan_plan_fanouts(plan, fanouts, sizeof fanouts);
    if (room == plan->leaves) {
        snprintf(buffer, size, "levels:%s", fanouts);
    } else {
        snprintf(buffer, size, "levels:%s:%" PRId64, fanouts, plan->leaves);
    }
    return buffer;
}
