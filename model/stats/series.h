/* series.h - samples in order of measurement: drift and autocorrelation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_SERIES_H
#define TAN_MODEL_STATS_SERIES_H

#include <stddef.h>

#include "base/error.h"
#include "model/stats/stats.h"

/* Drift and autocorrelation of a series, and the interval of its median corrected for them. */
struct tan_series {
    size_t n;
    double lag1;                     /* autocorrelation at lag 1, of ranks; about -1..1 */
    double lag1_p;                   /* its p-value under independence (one-sided) */
    double n_effective;              /* effective sample size for the median, 1..n */
    struct tan_interval median_ci95; /* of the median, for n_effective; low > high: unknown */
    double drift;   /* median of the last third / median of the first third - 1; 0 for n < 9 */
    double drift_p; /* its p-value under no drift (two-sided); 1 for n < 9 */
};

/* `samples`: seconds, in order of measurement. If no two of them differ by more than TAN_CLOCK_STEP
 * (stats.h), they count as equal, and so as independent and without drift. Fails as tan_sorted.
 * O(n log n). */
int tan_series_judge(const double *samples, size_t n, struct tan_series *out, struct tan_error *e);

/* The individual tests; each needs n >= 1 finite samples and fails only when memory is short.
 *
 * Mann-Kendall trend test: without a trend *z is standard normal (for n of about 10 or more),
 * positive if samples increase. Corrected for ties (Kendall, Rank Correlation Methods); 0 if all
 * are equal. */
int tan_mann_kendall(const double *samples, size_t n, double *z, struct tan_error *e);
/* Bartels' rank version of von Neumann's ratio: the mean squared difference of consecutive ranks
 * over their variance (JASA 77, 1982). For independent samples 2, and *z standard normal; less than
 * 2, with *z negative, for positive autocorrelation. Ties get their mean rank; 2 and 0 if all are
 * equal. */
int tan_von_neumann(const double *samples, size_t n, double *ratio, double *z, struct tan_error *e);
/* n / tau, where tau, the integrated autocorrelation time of "above or below the median", is the
 * factor by which the variance of a sample median grows. Autocorrelations are summed in pairs of
 * lags while these are positive, no pair counting more than the one before it (Geyer, Practical
 * Markov Chain Monte Carlo, 1992). 1 to n. */
int tan_effective_size(const double *samples, size_t n, double *n_effective, struct tan_error *e);

/* Placement of ranks, pages and interrupts differs between launches, so waves within a launch are
 * correlated and say little about another. The unit of observation is therefore the launch, by its
 * median. Ratios of medians are similar across machines, so the medians are modelled as
 * log-normal. */
struct tan_launches {
    size_t n;
    double centre;            /* geometric mean of the medians */
    double spread;            /* standard deviation s of their logarithms */
    struct tan_interval ci95; /* for the centre: exp(mean -+ t sqrt(s^2 / n)) */
    /* Prediction interval for the median of another launch: exp(mean -+ t sqrt(s^2 (1 + 1/n))) */
    struct tan_interval prediction95;
};

/* `mean` is that of the logarithms, t is Student's with n - 1 degrees of freedom. `medians` > 0, n
 * >= 1; for n == 1 the intervals are unknown (low > high) and the spread is 0. */
struct tan_launches tan_launches_judge(const double *medians, size_t n);

#endif
