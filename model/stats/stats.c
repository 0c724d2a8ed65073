/* stats.c - quantiles, intervals of medians, outliers, agreement with predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/stats.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double *tan_sorted(const double *samples, size_t n, struct tan_error *e)
{
    if (n == 0) {
        tan_fail(e, "there are no samples");
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(samples[i])) {
            tan_fail(e, "sample %zu is not a finite number", i + 1);
            return NULL;
        }
    }
    double *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    return sorted;
}

struct tan_interval tan_central_interval(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return (struct tan_interval){gsl_stats_quantile_from_sorted_data(values, 1, n, 0.025),
                                 gsl_stats_quantile_from_sorted_data(values, 1, n, 0.975)};
}

struct tan_interval tan_median_interval(const double *sorted, size_t n, double n_effective)
{
    const double z = 1.959963984540054;
    const double spread = z * (double)n / sqrt(n_effective);
    const double low = fmax(floor(((double)n - spread) / 2), 1);
    const double high = fmin(ceil(1 + ((double)n + spread) / 2), (double)n);
    return n_effective < 6
               ? TAN_INTERVAL_UNKNOWN
               : (struct tan_interval){sorted[(size_t)low - 1], sorted[(size_t)high - 1]};
}

int tan_summarize(const double *samples, size_t n, struct tan_summary *out, struct tan_error *e)
{
    double *sorted = tan_sorted(samples, n, e);
    if (sorted == NULL) {
        return -1;
    }
    *out = (struct tan_summary){
        .n = n,
        .mean = gsl_stats_mean(sorted, 1, n),
        .stddev = n < 2 ? 0.0 : gsl_stats_sd(sorted, 1, n),
        .min = sorted[0],
        .p5 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05),
        .p25 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.25),
        .median = gsl_stats_median_from_sorted_data(sorted, 1, n),
        .p75 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.75),
        .p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95),
        .p99 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.99),
        .max = sorted[n - 1],
        .median_ci95 = tan_median_interval(sorted, n, (double)n),
    };
    free(sorted);
    return 0;
}

void tan_set_outliers_aside(const double *sorted, size_t n, double near, size_t *first, size_t *end)
{
    const double p25 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.25);
    const double p75 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.75);
    const double reach = fmax(3 * (p75 - p25), near);
    *first = 0;
    *end = n;
    while (sorted[*first] < p25 - reach) {
        (*first)++;
    }
    while (sorted[*end - 1] > p75 + reach) {
        (*end)--;
    }
    if (10 * (n - (*end - *first)) > n) {
        *first = 0;
        *end = n;
    }
}

int tan_latency_summarize(const double *samples, size_t n, struct tan_latency *out,
                          struct tan_error *e)
{
    struct tan_summary s;
    if (tan_summarize(samples, n, &s, e) < 0) {
        return -1;
    }
    *out = (struct tan_latency){.n = (int64_t)n,
                                .mean = s.mean,
                                .median = s.median,
                                .min = s.min,
                                .max = s.max,
                                .stddev = s.stddev};
    return 0;
}

/* Agreement of predictions with measurements */

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
