/* piecewise.h - breakpoints of a piecewise linear curve
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_PIECEWISE_H
#define TAN_MODEL_STATS_PIECEWISE_H

#include <stddef.h>

#include "base/error.h"

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
