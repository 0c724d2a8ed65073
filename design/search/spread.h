/* spread.h - uncertainty of predicted wave times and their differences
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SPREAD_H
#define TAN_DESIGN_SEARCH_SPREAD_H

#include "design/search/plan.h"

/* How a machine file describes the uncertainty of its parameters. */
enum tan_spread {
    TAN_SPREAD_UNKNOWN, /* not at all: values count as exact */
    TAN_SPREAD_CI95,  /* draws from intervals of some parameters, assumed independent and normal */
    TAN_SPREAD_DRAWS, /* bootstrap draws, which include correlations between parameters */
};
enum tan_spread tan_spread_of(const struct tan_params *params);

/* 95 % interval of a value computed from the parameters; low > high if the spread is unknown. Fails
 * only when memory is short. */
typedef double (*tan_spread_value)(const void *context, const struct tan_params *params);
int tan_spread_interval(tan_spread_value value, const void *context,
                        const struct tan_params *params, struct tan_interval *ci95,
                        struct tan_error *e);
/* 95 % interval of the plan's wave time in seconds, or if `other` is not NULL, of how much longer
 * it takes than that plan with the same parameters. low > high if the spread is unknown. O(draws
 * log draws). */
int tan_spread_wave(const struct tan_plan *plan, const struct tan_plan *other,
                    const struct tan_model *model, const struct tan_params *params,
                    struct tan_interval *ci95, struct tan_error *e);

#endif
