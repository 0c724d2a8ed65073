/* fanouts.c - cost of a node's fanout, and uniform trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/fanouts.h"

#include "design/search/baselines.h"

struct question {
    const struct tan_model *model;
    int64_t fanout;
};

static double level_cost(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    return tan_flat_level(q->model, params, q->fanout);
}

int tan_fanouts(const struct tan_model *model, const struct tan_params *params, int64_t leaves,
                struct tan_fanout out[TAN_FANOUTS], struct tan_error *e)
{
    int64_t fanout = TAN_LEAST_FANOUT;
    for (int i = 0; i < TAN_FANOUTS; i++, fanout *= 2) {
        const struct question q = {model, fanout};
        const double level = level_cost(&q, params);
        out[i] = (struct tan_fanout){
            .fanout = fanout, .level = level, .per_child = level / (double)fanout};
        if (tan_spread_interval(level_cost, &q, params, &out[i].ci95, e) < 0) {
            return -1;
        }
        if (leaves > 0) {
            tan_baseline_kary(fanout, leaves, &out[i].plan, out[i].spec, sizeof out[i].spec);
            tan_plan_price_spec(&out[i].plan, out[i].spec, model, params);
            if (tan_spread_wave(&out[i].plan, NULL, model, params, &out[i].wave_ci95, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}
