/* series.c - samples in order of measurement: drift and autocorrelation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/series.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats/stats.h"

/* Thirds of fewer samples are too small for a comparison. */
enum { MIN_FOR_DRIFT = 9 };

/* Merge sort that counts inversions. `spare` has room for n. */
static double count_inversions(double *x, double *spare, size_t n)
{
    if (n < 2) {
        return 0;
    }
    size_t half = n / 2;
    double inversions =
        count_inversions(x, spare, half) + count_inversions(x + half, spare, n - half);
    size_t left = 0;
    size_t right = half;
    for (size_t i = 0; i < n; i++) {
        if (right == n || (left < half && x[left] <= x[right])) {
            spare[i] = x[left++];
        } else {
            inversions += (double)(half - left);
            spare[i] = x[right++];
        }
    }
    memcpy(x, spare, n * sizeof *x);
    return inversions;
}

int tan_mann_kendall(const double *samples, size_t n, double *z, struct tan_error *e)
{
    double *sorted = malloc(2 * n * sizeof *sorted);
    double m = (double)n;
    double pairs = m * (m - 1) / 2;
    double variance = m * (m - 1) * (2 * m + 5);
    *z = 0;
    if (sorted == NULL) {
        return tan_fail_nomem(e);
    }
    memcpy(sorted, samples, n * sizeof *sorted);
    double score = pairs - 2 * count_inversions(sorted, sorted + n, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !(sorted[end] > sorted[i]); end++) {
        }
        double t = (double)(end - i);
        score -= t * (t - 1) / 2;
        variance -= t * (t - 1) * (2 * t + 5);
    }
    free(sorted);
    if (variance > 0 && fabs(score) > 1) {
        *z = (score - copysign(1, score)) / sqrt(variance / 18);
    }
    return 0;
}

/* Ranks 1..n, with the mean rank for ties; malloc'd. */
static double *rank_samples(const double *samples, size_t n, struct tan_error *e)
{
    size_t *order = malloc(n * sizeof *order);
    double *ranks = malloc(n * sizeof *ranks);
    if (order == NULL || ranks == NULL) {
        tan_fail_nomem(e);
        free(order);
        free(ranks);
        return NULL;
    }
    gsl_sort_index(order, samples, 1, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !(samples[order[end]] > samples[order[i]]); end++) {
        }
        for (size_t j = i; j < end; j++) {
            ranks[order[j]] = (double)(i + 1 + end) / 2;
        }
    }
    free(order);
    return ranks;
}

int tan_von_neumann(const double *samples, size_t n, double *ratio, double *z, struct tan_error *e)
{
    double *ranks = rank_samples(samples, n, e);
    double m = (double)n;
    double steps = 0;
    double spread = 0;
    *ratio = 2;
    *z = 0;
    if (ranks == NULL) {
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        double step = i + 1 < n ? ranks[i + 1] - ranks[i] : 0;
        double deviation = ranks[i] - (m + 1) / 2;
        steps += step * step;
        spread += deviation * deviation;
    }
    free(ranks);
    if (n > 2 && spread > 0) {
        double variance =
            4 * (m - 2) * (5 * m * m - 2 * m - 9) / (5 * m * (m + 1) * (m - 1) * (m - 1));
        *ratio = steps / spread;
        *z = (*ratio - 2) / sqrt(variance);
    }
    return 0;
}

/* Replace a series of n values by n times its autocovariances, which are the inverse transform of
 * the power spectrum. `size`: a power of 2, at least 2 n; x[n] to x[size - 1] are 0. */
static void set_autocovariances(double *x, size_t size)
{
    gsl_fft_real_radix2_transform(x, 1, size);
    x[0] *= x[0];
    x[size / 2] *= x[size / 2];
    for (size_t i = 1; i < size / 2; i++) {
        x[i] = x[i] * x[i] + x[size - i] * x[size - i];
        x[size - i] = 0;
    }
    gsl_fft_halfcomplex_radix2_inverse(x, 1, size);
}

int tan_effective_size(const double *samples, size_t n, double *n_effective, struct tan_error *e)
{
    double *sorted = tan_sorted(samples, n, e);
    size_t size = 2;
    while (size < 2 * n) {
        size *= 2;
    }
    double *x = sorted != NULL ? calloc(size, sizeof *x) : NULL;
    if (x == NULL) {
        free(sorted);
        return tan_fail_nomem(e);
    }
    double median = gsl_stats_median_from_sorted_data(sorted, 1, n);
    free(sorted);
    for (size_t i = 0; i < n; i++) {
        x[i] = (samples[i] > median) - (samples[i] < median);
    }
    double mean = gsl_stats_mean(x, 1, n);
    for (size_t i = 0; i < n; i++) {
        x[i] -= mean;
    }
    set_autocovariances(x, size);
    double tau = -1; /* lag 0 counts once, all others twice */
    double least = INFINITY;
    for (size_t lag = 0; lag + 1 < n && x[0] > 0; lag += 2) {
        double pair = (x[lag] + x[lag + 1]) / x[0];
        if (pair <= 0) {
            break;
        }
        least = fmin(least, pair);
        tau += 2 * least;
    }
    free(x);
    *n_effective = tau > 1 ? (double)n / tau : (double)n;
    *n_effective = *n_effective < 1 ? 1 : *n_effective;
    return 0;
}

static int judge_correlation(struct tan_series *s, const double *samples, const double *sorted,
                             struct tan_error *e)
{
    double ratio;
    double z;
    if (tan_von_neumann(samples, s->n, &ratio, &z, e) < 0) {
        return -1;
    }
    s->lag1 = 1 - ratio / 2;
    s->lag1_p = gsl_cdf_ugaussian_P(z);
    /* Only if correlated: for most independent samples, too, the estimate is below n. */
    if (s->lag1_p < 0.05 && tan_effective_size(samples, s->n, &s->n_effective, e) < 0) {
        return -1;
    }
    s->median_ci95 = tan_median_interval(sorted, s->n, s->n_effective);
    return 0;
}

static int median_of(const double *samples, size_t n, double *median, struct tan_error *e)
{
    double *sorted = tan_sorted(samples, n, e);
    if (sorted == NULL) {
        return -1;
    }
    *median = gsl_stats_median_from_sorted_data(sorted, 1, n);
    free(sorted);
    return 0;
}

/* Autocorrelated samples wander, which looks like a trend: the test's variance uses the effective
 * sample size after detrending (Yue and Wang, Water Resources Management 18, 2004). */
static int judge_drift(struct tan_series *s, const double *samples, struct tan_error *e)
{
    size_t n = s->n;
    size_t third = n / 3;
    double first;
    double last;
    double z;
    double effective;
    if (n < MIN_FOR_DRIFT) {
        return 0;
    }
    double *residuals = malloc(n * sizeof *residuals);
    if (residuals == NULL) {
        return tan_fail_nomem(e);
    }
    int result = -1;
    if (median_of(samples, third, &first, e) < 0 ||
        median_of(samples + n - third, third, &last, e) < 0) {
        goto done;
    }
    /* Rounded, since residuals that are equal but for rounding errors must not end up on different
     * sides of their median. */
    const double unit = fmax(fabs(first), fabs(last)) * 1e-9;
    for (size_t i = 0; i < n; i++) {
        const double residual = samples[i] - (last - first) * (double)i / (double)(n - third);
        residuals[i] = unit > 0 ? round(residual / unit) * unit : residual;
    }
    if (tan_mann_kendall(samples, n, &z, e) < 0 ||
        tan_effective_size(residuals, n, &effective, e) < 0) {
        goto done;
    }
    s->drift = first > 0 ? last / first - 1 : 0;
    s->drift_p = 2 * gsl_cdf_ugaussian_Q(fabs(z) * sqrt(effective / (double)n));
    result = 0;
done:
    free(residuals);
    return result;
}

int tan_series_judge(const double *samples, size_t n, struct tan_series *out, struct tan_error *e)
{
    double *sorted = tan_sorted(samples, n, e);
    if (sorted == NULL) {
        return -1;
    }
    *out = (struct tan_series){.n = n, .lag1_p = 0.5, .n_effective = (double)n, .drift_p = 1};
    out->median_ci95 = tan_median_interval(sorted, n, out->n_effective);
    /* Simulated waves are identical except for clock rounding. */
    const bool same = sorted[n - 1] - sorted[0] <= TAN_CLOCK_STEP;
    const bool failed = !same && (judge_correlation(out, samples, sorted, e) < 0 ||
                                  judge_drift(out, samples, e) < 0);
    free(sorted);
    return failed ? -1 : 0;
}

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
