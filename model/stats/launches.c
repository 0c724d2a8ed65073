/* launches.c - predicting the next launch from the medians of earlier ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/launches.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static struct tan_interval interval_around(double mean, double half_width)
{
    return (struct tan_interval){exp(mean - half_width), exp(mean + half_width)};
}

struct tan_launches tan_launches_judge(const double *medians, size_t n)
{
    double mean = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        mean += log(medians[i]) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += pow(log(medians[i]) - mean, 2);
    }
    struct tan_launches out = {.n = n,
                               .centre = exp(mean),
                               .ci95 = TAN_INTERVAL_UNKNOWN,
                               .prediction95 = TAN_INTERVAL_UNKNOWN};
    if (n > 1) {
        double t = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1));
        out.spread = sqrt(squares / (double)(n - 1));
        out.ci95 = interval_around(mean, t * out.spread / sqrt((double)n));
        out.prediction95 = interval_around(mean, t * out.spread * sqrt(1 + 1 / (double)n));
    }
    return out;
}
