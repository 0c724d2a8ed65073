/* regression.h - weighted linear least squares, and breakpoints of piecewise linear curves
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
 * `weight`: rows, all > 0. QR factorisation. -1 when memory is short, with nothing to
 * clear. O(rows columns^2). */
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

enum { TAN_MAX_SEGMENTS = 16, TAN_MIN_SEGMENT = 3 /* points */ };

struct tan_segments {
    size_t n;
    size_t start[TAN_MAX_SEGMENTS]; /* index of each segment's first point; start[0] is 0 */
};

/* Fit `n` points (x ascending, weight > 0) by weighted least squares with straight lines, each over
 * at least TAN_MIN_SEGMENT consecutive points; fewer points are one segment. A segment starts at
 * each of the `n_held` indices `held`, in order of priority, except where this would leave a
 * segment with too few points, or more than TAN_MAX_SEGMENTS. Each range between them is segmented
 * independently: dynamic programming finds the best breaks for each number of lines
 * [Bellman 1961], and an F test picks the number. Its level is 1 % divided by the number of ways to
 * place the additional breaks, each of which costs three parameters. -1 when memory is short.
 * O(n^2), in time and memory. */
int tan_segments_find(const double *x, const double *y, const double *weight, size_t n,
                      const size_t *held, size_t n_held, struct tan_segments *out,
                      struct tan_error *e);

#endif
