/* ranking.h - agreement of predictions with measurements, by value and by rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_RANKING_H
#define TAN_MODEL_STATS_RANKING_H

#include <stddef.h>

#include "base/error.h"

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
