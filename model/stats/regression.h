/* regression.h - weighted linear least squares, factored once for many right-hand sides
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_REGRESSION_H
#define TAN_MODEL_STATS_REGRESSION_H

#include <stddef.h>

#include "base/error.h"

enum { TAN_MAX_COLUMNS = 9 };

/* Minimise sum_i weight_i (y_i - sum_j design_ij x_j)^2. */
struct tan_regression {
    size_t rows, columns;
    double *inverse; /* pseudo-inverse, columns x rows, row-major; owned */
    double factor[TAN_MAX_COLUMNS * TAN_MAX_COLUMNS]; /* R of the weighted design, row-major */
};

/* `design`: rows x columns, row-major, of full rank; rows >= columns, at most TAN_MAX_COLUMNS;
 * `weight`: rows, all > 0. QR factorisation with scaled columns. -1 when memory is short, with
 * nothing to clear. O(rows columns^2). */
int tan_regression_create(struct tan_regression *out, const double *design, const double *weight,
                          size_t rows, size_t columns, struct tan_error *e);
void tan_regression_clear(struct tan_regression *r);

/* The unconstrained solution for `y` (rows entries) in `x` (columns entries). O(rows columns). */
void tan_regression_solve(const struct tan_regression *r, const double *y, double *x);
/* Turn the unconstrained solution into the best one with all x >= 0, in place; the sum of squares
 * as a function of x depends only on that solution and R. Exact: tries the least-squares solution
 * of every subset of columns and keeps the best one without negative entries. O(2^columns
 * columns^3). */
void tan_regression_bound(const struct tan_regression *r, double *x);

#endif
