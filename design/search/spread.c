/* spread.c - uncertainty of predicted wave times and their differences
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/spread.h"

#include <stdlib.h>

#include "model/stats/stats.h"

enum tan_spread tan_spread_of(const struct tan_params *params)
{
    return params->n_draws < 2  ? TAN_SPREAD_UNKNOWN
           : params->draws_made ? TAN_SPREAD_CI95
                                : TAN_SPREAD_DRAWS;
}

/* Quantiles over the draws. */
static int from_draws(tan_spread_value value, const void *context, const struct tan_params *params,
                      struct tan_interval *ci95, struct tan_error *e)
{
    const size_t n = (size_t)params->n_draws;
    double *values = malloc(n * sizeof *values);
    if (values == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        const struct tan_params drawn = tan_params_drawn(params, (int)i);
        values[i] = value(context, &drawn);
    }
    *ci95 = tan_central_interval(values, n);
    free(values);
    return 0;
}

int tan_spread_interval(tan_spread_value value, const void *context,
                        const struct tan_params *params, struct tan_interval *ci95,
                        struct tan_error *e)
{
    *ci95 = TAN_INTERVAL_UNKNOWN;
    return params->n_draws > 1 ? from_draws(value, context, params, ci95, e) : 0;
}

/* The wave times to compare. */
struct question {
    const struct tan_plan *plan, *other;
    const struct tan_model *model;
};

static double answer_question(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    const double wave = tan_plan_wave(q->plan, q->model, params);
    return q->other == NULL ? wave : wave - tan_plan_wave(q->other, q->model, params);
}

int tan_spread_wave(const struct tan_plan *plan, const struct tan_plan *other,
                    const struct tan_model *model, const struct tan_params *params,
                    struct tan_interval *ci95, struct tan_error *e)
{
    const struct question q = {plan, other, model};
    return tan_spread_interval(answer_question, &q, params, ci95, e);
}
