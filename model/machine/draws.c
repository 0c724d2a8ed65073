/* draws.c - draws of parameters from their intervals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/draws.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

static const double quantile = 1.959964; /* of the normal distribution, at 97.5 % */

static double draw(const struct tan_params *params, int p, gsl_rng *rng)
{
    const struct tan_interval ci = params->ci95[p];
    const double value = params->value[p];
    if (ci.low > ci.high) {
        return value;
    }
    if (params->unidentified[p]) {
        return gsl_ran_flat(rng, ci.low, ci.high);
    }
    const double off = gsl_ran_ugaussian(rng) / quantile;
    return fmax(value + off * (off < 0.0 ? value - ci.low : ci.high - value), 0.0);
}

int tan_params_draw(struct tan_params *params, struct tan_error *e)
{
    enum { DRAWS = 1000 };
    bool known = false;
    for (int p = 0; p < TAN_PARAMS; p++) {
        known = known || params->ci95[p].low < params->ci95[p].high;
    }
    if (params->n_draws > 0 || !known) {
        return 0;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    params->draws = malloc(DRAWS * TAN_PARAMS * sizeof *params->draws);
    if (rng == NULL || params->draws == NULL) {
        gsl_rng_free(rng);
        return tan_fail_nomem(e);
    }
    params->n_draws = DRAWS;
    params->draws_made = true;
    for (int i = 0; i < DRAWS; i++) {
        for (int p = 0; p < TAN_PARAMS; p++) {
            params->draws[i * TAN_PARAMS + p] = draw(params, p, rng);
        }
    }
    gsl_rng_free(rng);
    return 0;
}
