/* series.h - samples in the order of measurement: drift and autocorrelation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_SERIES_H
#define MODEL_STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/stats/interval.h"

/* Drift and autocorrelation of a series, and the interval of its median that allows for them. */
struct tan_series {
    size_t n;
    double lag1;        /* autocorrelation of consecutive samples' ranks, about -1..1 */
    double lag1_p;      /* its p-value for independent samples (one-sided) */
    double n_effective; /* effective sample size for the median, 1..n */
    struct tan_interval median_ci95; /* of the median, for n_effective; low > high: unknown */
    double drift;   /* median of the last third / median of the first third - 1; 0 for n < 9 */
    double drift_p; /* its p-value without drift (two-sided); 1 for n < 9 */
};

/* `samples`: n >= 1, finite, seconds, in the order of measurement; those that no clock tells apart
 * are equal, and so independent. O(n log n). */
int tan_series_judge(const double *samples, size_t n, struct tan_series *out, struct tan_error *e);

/* Its parts; each needs n >= 1 finite samples and fails only when memory is short.
 *
 * Mann and Kendall's test for a trend: *z is standard normal (from some 10 samples on) without
 * one, positive when samples rise. Ties are allowed for (Kendall, Rank Correlation Methods); 0 when
 * all are equal. */
int tan_mann_kendall(const double *samples, size_t n, double *z, struct tan_error *e);
/* Bartels' rank version of von Neumann's ratio: the mean square of the differences between
 * consecutive ranks over their variance (JASA 77, 1982). 2 for independent samples, with the
 * standard deviation of *z = 1; less, and *z negative, when they are positively correlated. Ties
 * share the mean of their ranks; 2 and 0 when all are equal. */
int tan_von_neumann(const double *samples, size_t n, double *ratio, double *z, struct tan_error *e);
/* n / tau, where tau is the integrated autocorrelation time of "above the median or below", the
 * factor by which the variance of a sample median grows. Correlations are summed in pairs of lags
 * while the pairs are positive and fall (Geyer, Practical Markov Chain Monte Carlo, 1992). Never
 * more than n. */
int tan_effective_size(const double *samples, size_t n, double *n_effective, struct tan_error *e);

#endif
