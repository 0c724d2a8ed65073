/* stats.h - quantiles, intervals, outliers; agreement of predictions with measurements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_STATS_H
#define TAN_MODEL_STATS_STATS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct tan_interval {
    double low, high; /* low > high: unknown */
};
#define TAN_INTERVAL_UNKNOWN ((struct tan_interval){.low = INFINITY, .high = -INFINITY})

static inline bool tan_interval_known(struct tan_interval i)
{
    return i.low <= i.high;
}

struct tan_summary {
    size_t n;
    double mean, stddev; /* stddev: n - 1 in the denominator, 0 for n < 2 */
    double min, p5, p25, median, p75, p95, p99, max;
    struct tan_interval median_ci95; /* by order statistics (Le Boudec); low > high for n < 6 */
};

/* `samples` is unchanged. Quantiles interpolate linearly between order statistics (type 7); the
 * median of an even n is the mean of the middle two. Fails as tan_sorted. O(n log n). */
int tan_summarize(const double *samples, size_t n, struct tan_summary *out, struct tan_error *e);
/* The order statistics of sorted samples that bound the median with 95 % confidence (Le Boudec;
 * Hoefler & Belli SC'15), of the ranks floor((n - z w)/2) and ceil(1 + (n + z w)/2), clamped to
 * 1..n, where w is n / sqrt(n_effective), for independent samples sqrt n. Unknown for n_effective <
 * 6, when not even the whole range has 95 %. */
struct tan_interval tan_median_interval(const double *sorted, size_t n, double n_effective);

/* Resolution of a difference of two readings of a nanosecond clock, in seconds: times that differ
 * by no more are equal. */
#define TAN_CLOCK_STEP 2e-9

/* The samples in ascending order, malloc'd. NULL for n == 0, for a sample that is not finite, or
 * when memory is short. */
double *tan_sorted(const double *samples, size_t n, struct tan_error *e);

/* The central 95 % of `n` >= 1 values, between quantiles of type 7. Sorts them. */
struct tan_interval tan_central_interval(double *values, size_t n);

/* The range of `n` >= 1 sorted samples without outliers: sorted[*first] .. sorted[*end - 1].
 * Outliers lie beyond the quartiles by more than three interquartile ranges (Tukey's "far out") and
 * by more than `near`, in the unit of the samples. If more than a tenth would be outliers, they are
 * part of the distribution, and none is excluded. */
void tan_set_outliers_aside(const double *sorted, size_t n, double near, size_t *first,
                            size_t *end);

/* A component of the normal mixture that describes a latency; seconds. */
struct tan_peak {
    double share; /* weight > 0, relative to the other components */
    double mean, stddev;
};
enum { TAN_PEAKS = 8 };

/* Ping-pong statistics behind L, in seconds; n == 0 if there are none. */
struct tan_latency {
    int64_t n;
    double mean, median, min, max, stddev; /* NaN if unknown */
    struct tan_peak peak[TAN_PEAKS];       /* mixture to draw latencies from */
    int n_peaks;                           /* 0 if unknown */
};

/* Summarise half round trips of a ping-pong, in seconds, without fitting a mixture. Fails as
 * tan_sorted. */
int tan_latency_summarize(const double *samples, size_t n, struct tan_latency *out,
                          struct tan_error *e);

/* Kendall's tau-b of `n` pairs: 1 if both have the same order, -1 if opposite, corrected for ties
 * within x and within y (Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945).
 * Values within a relative 1e-9 are tied. NaN if all x or all y are equal. O(n^2). */
double tan_kendall_tau(const double *x, const double *y, size_t n);

/* The loss from choosing the tree with the smallest prediction (the first if tied): its measured
 * time over the smallest measured time, minus 1. `n` >= 1; times positive. */
double tan_regret(const double *predicted, const double *measured, size_t n);

/* Prediction errors of a model, predicted / measured - 1; mean_error keeps their signs. */
struct tan_accuracy {
    double mean_abs_error, median_abs_error, worst_abs_error, mean_error;
    double kendall_tau; /* NaN if undefined */
    double regret;
};
/* `n` >= 1 predictions and measurements, all positive. -1 if an error is not finite, or when memory
 * is short. */
int tan_accuracy(const double *predicted, const double *measured, size_t n,
                 struct tan_accuracy *out, struct tan_error *e);

#endif
