/* ranking.c - agreement of predictions with measurements, by value and by rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/ranking.h"

#include <math.h>
#include <stdlib.h>

#include "model/stats/stats.h"

/* Values that differ by rounding only are equal: levels:4x8 and levels:8x4 are the same sum. */
static int compare_values(double a, double b)
{
    const double equal = 1e-9 * fmax(fabs(a), fabs(b));
    return (a > b + equal) - (a < b - equal);
}

double tan_kendall_tau(const double *x, const double *y, size_t n)
{
    double score = 0;
    double x_differs = 0;
    double y_differs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const int in_x = compare_values(x[i], x[j]);
            const int in_y = compare_values(y[i], y[j]);
            score += in_x * in_y;
            x_differs += in_x != 0;
            y_differs += in_y != 0;
        }
    }
    return x_differs > 0 && y_differs > 0 ? score / sqrt(x_differs * y_differs) : NAN;
}

double tan_regret(const double *predicted, const double *measured, size_t n)
{
    size_t chosen = 0;
    double best = measured[0];
    for (size_t i = 1; i < n; i++) {
        chosen = compare_values(predicted[i], predicted[chosen]) < 0 ? i : chosen;
        best = fmin(best, measured[i]);
    }
    return measured[chosen] / best - 1;
}

int tan_accuracy(const double *predicted, const double *measured, size_t n,
                 struct tan_accuracy *out, struct tan_error *e)
{
    struct tan_summary summary;
    double *errors = malloc(n * sizeof *errors);
    int result = -1;
    *out = (struct tan_accuracy){.mean_error = 0};
    if (errors == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        const double error = predicted[i] / measured[i] - 1;
        errors[i] = fabs(error);
        out->mean_error += error / (double)n;
    }
    if (tan_summarize(errors, n, &summary, e) == 0) {
        out->mean_abs_error = summary.mean;
        out->median_abs_error = summary.median;
        out->worst_abs_error = summary.max;
        out->kendall_tau = tan_kendall_tau(predicted, measured, n);
        out->regret = tan_regret(predicted, measured, n);
        result = 0;
    }
    free(errors);
    return result;
}
