/* series.h - are samples in the order of measurement like independent draws: drift, and memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_SERIES_H
#define MODEL_STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/stats/interval.h"

/* What a series of samples is like, and what that does to the interval of its median. */
struct tan_series {
    size_t n;
    double lag1;        /* autocorrelation of neighbouring samples' ranks, about -1..1 */
    double lag1_p;      /* how likely so much of it is among independent samples (one-sided) */
    double n_effective; /* independent samples that would tell as much about the median, 1..n */
    struct tan_interval median_ci95; /* of the median, for n_effective; low > high: unknown */
    double drift;   /* median of the last third / median of the first third - 1; 0 for n < 9 */
    double drift_p; /* how likely so strong a trend is without drift (two-sided); 1 for n < 9 */
};

/* `samples`: n >= 1, finite, in the order of measurement. O(n log n). */
int tan_series_judge(const double *samples, size_t n, struct tan_series *out, struct tan_error *e);

/* The parts of it; each wants n >= 1 finite samples and fails only when memory is short.
 *
 * Mann and Kendall's test for a trend: *z is standard normal (from some 10 samples on) without
 * one, positive when samples rise. Ties are allowed for (Kendall, Rank Correlation Methods); 0 when
 * all are equal. */
int tan_mann_kendall(const double *samples, size_t n, double *z, struct tan_error *e);
/* Bartels' rank version of von Neumann's ratio: the mean square of the differences between
 * neighbours over the variance, of ranks (JASA 77, 1982). 2 for independent samples, with the
 * standard deviation of *z = 1; less, and *z negative, when neighbours are alike. Ties share the
 * mean of their ranks; 2 and 0 when all are equal. */
int tan_von_neumann(const double *samples, size_t n, double *ratio, double *z, struct tan_error *e);
/* n / tau, where tau is the integrated autocorrelation time of "above the median or below", which
 * is what the variance of a sample median grows by. Correlations are summed in pairs of lags while
 * the pairs are positive and fall (Geyer, Practical Markov Chain Monte Carlo, 1992). Never more
 * than n. */
int tan_effective_size(const double *samples, size_t n, double *n_effective, struct tan_error *e);

#endif
