/* check.c - held-out trees, and the models' errors on them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/check.h"

#include <math.h>
#include <string.h>

const char *const tan_check_models[TAN_CHECK_MODELS] = {
    [TAN_CHECK_TAN] = "tan",
    [TAN_CHECK_LOGP] = "logp",
    [TAN_CHECK_OVERLAP] = "tan-overlap",
};

double tan_checks_error(const struct tan_checks *checks, int model)
{
    double sum = 0;
    for (int i = 0; i < checks->n; i++) {
        sum += fabs(checks->row[i].error[model]);
    }
    return checks->n > 0 ? sum / checks->n : NAN;
}

int tan_checks_best(const struct tan_checks *checks)
{
    int best = -1;
    double least = INFINITY;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        const double error = tan_checks_error(checks, m);
        if (error < least) {
            least = error;
            best = m;
        }
    }
    return tan_checks_error(checks, TAN_CHECK_OVERLAP) <= least + TAN_CHECKS_SAME
               ? TAN_CHECK_OVERLAP
               : best;
}

double tan_checks_worst(const struct tan_checks *checks, const char *model)
{
    double worst = NAN;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        for (int i = 0; i < checks->n && strcmp(tan_check_models[m], model) == 0; i++) {
            const double error = fabs(checks->row[i].error[m]);
            if (isnan(error)) {
                return NAN;
            }
            worst = isnan(worst) ? error : fmax(worst, error);
        }
    }
    return worst;
}
