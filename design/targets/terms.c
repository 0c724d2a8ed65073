/* terms.c - constants of formulas in the targets' documentation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/terms.h"

#include <math.h>

#include "design/search/spread.h"

struct question {
    const struct tan_term *term;
    const struct tan_model *model;
    int64_t setting;
};

static double value_of(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    return q->term->value(q->model, params, q->setting);
}

double tan_term_value(const struct tan_term *term, const struct tan_target_problem *problem,
                      const struct tan_target_way *way, struct tan_interval *ci95)
{
    struct tan_params params = way->direction == TAN_DOWN ? *problem->down : *problem->up;
    const struct question q = {term, problem->model, way->told[0].setting.value};
    if (tan_target_one_way(problem->target) && way->direction != (TAN_UP | TAN_DOWN)) {
        params.one_way = way->direction;
    }
    const double value = value_of(&q, &params);
    *ci95 = TAN_INTERVAL_UNKNOWN;
    if (!isnan(value)) {
        tan_spread_interval(value_of, &q, &params, ci95, NULL);
    }
    return value;
}

double tan_term_child(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout)
{
    const int64_t children = fanout > 2 ? fanout : 2;
    return (tan_flat_level(model, params, children) - tan_flat_level(model, params, 1)) /
           (double)(children - 1);
}
