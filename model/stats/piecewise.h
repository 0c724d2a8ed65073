/* piecewise.h - breakpoints of a curve made of straight lines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_PIECEWISE_H
#define MODEL_STATS_PIECEWISE_H

#include <stddef.h>

#include "base/error.h"

enum { TAN_MAX_SEGMENTS = 16, TAN_MIN_SEGMENT = 3 /* points */ };

struct tan_segments {
    size_t n;
    size_t start[TAN_MAX_SEGMENTS]; /* index of the first point of each; start[0] is 0 */
};

/* Fit `n` points (x rising, weight > 0) by straight lines end to end, each over at least
 * TAN_MIN_SEGMENT points, by weighted least squares. Breaks are held at the indices
 * held[0..n_held), the first ones first: one that leaves too few points on a side is not. Each
 * range between held breaks is divided on its own: the best places for a number of breaks come from
 * dynamic programming [Bellman 1961]; there are as many as an F test at 1 % needs, each costing
 * three parameters, the level divided by the number of ways to place the further ones. O(n^2). */
int tan_segments_find(const double *x, const double *y, const double *weight, size_t n,
                      const size_t *held, size_t n_held, struct tan_segments *out,
                      struct tan_error *e);

#endif
