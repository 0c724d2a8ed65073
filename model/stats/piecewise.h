/* piecewise.h - breakpoints of a curve made of straight lines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_PIECEWISE_H
#define MODEL_STATS_PIECEWISE_H

#include <stddef.h>

#include "base/error.h"

enum { TAN_MAX_SEGMENTS = 8 };

struct tan_segments {
    size_t n;
    size_t start[TAN_MAX_SEGMENTS]; /* index of the first point of each; start[0] is 0 */
};

/* Fit `n` points (x rising, weight > 0) by straight lines end to end, each over at least four
 * points, by weighted least squares: the best places for a number of breaks come from dynamic
 * programming [Bellman 1961]; there are as many breaks as an F test at 1 % needs, each costing
 * three parameters, the level divided by the number of places that were tried for it. A break is
 * held at `fixed` (0: none), unless too few points lie on a side of it. O(n^2). */
int tan_segments_find(const double *x, const double *y, const double *weight, size_t n,
                      size_t fixed, struct tan_segments *out, struct tan_error *e);

#endif
