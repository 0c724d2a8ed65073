/* spread.c - uncertainty of predicted wave times and of their differences
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/spread.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tan_spread tan_spread_of(const struct tan_params *params)
{
    if (params->n_draws > 1) {
        return TAN_SPREAD_DRAWS;
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (params->ci95[p].low <= params->ci95[p].high) {
            return TAN_SPREAD_CI95;
        }
    }
    return TAN_SPREAD_UNKNOWN;
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
    struct tan_params drawn = *params;
    for (size_t i = 0; i < n; i++) {
        memcpy(drawn.value, params->draws + i * TAN_PARAMS, sizeof drawn.value);
        values[i] = value(context, &drawn);
    }
    gsl_sort(values, 1, n);
    ci95->low = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.025);
    ci95->high = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.975);
    free(values);
    return 0;
}

/* The half-widths that the parameters cause one by one, added in quadrature. */
static void from_intervals(tan_spread_value value, const void *context,
                           const struct tan_params *params, struct tan_interval *ci95)
{
    double squares = 0.0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (params->ci95[p].low <= params->ci95[p].high) {
            struct tan_params moved = *params;
            moved.value[p] = params->ci95[p].low;
            const double low = value(context, &moved);
            moved.value[p] = params->ci95[p].high;
            const double half = (value(context, &moved) - low) / 2.0;
            squares += half * half;
        }
    }
    const double middle = value(context, params);
    ci95->low = middle - sqrt(squares);
    ci95->high = middle + sqrt(squares);
}

int tan_spread_interval(tan_spread_value value, const void *context,
                        const struct tan_params *params, struct tan_interval *ci95,
                        struct tan_error *e)
{
    *ci95 = TAN_INTERVAL_UNKNOWN;
    switch (tan_spread_of(params)) {
    case TAN_SPREAD_DRAWS:
        return from_draws(value, context, params, ci95, e);
    case TAN_SPREAD_CI95:
        from_intervals(value, context, params, ci95);
        return 0;
    case TAN_SPREAD_UNKNOWN:
        break;
    }
    return 0;
}

/* The wave times whose difference is asked for. */
struct question {
    const struct tan_plan *plan, *other;
    const struct tan_model *model;
};

static double answer(const void *context, const struct tan_params *params)
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
    if (tan_spread_interval(answer, &q, params, ci95, e) < 0) {
        return -1;
    }
    if (other == NULL && ci95->low < 0.0) {
        ci95->low = 0.0;
    }
    return 0;
}
