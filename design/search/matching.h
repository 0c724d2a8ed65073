/* matching.h - the heaviest perfect matching of rows and columns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_MATCHING_H
#define TAN_DESIGN_SEARCH_MATCHING_H

#include <stdint.h>

/* Rows and columns at most. */
enum { TAN_MATCH_MOST = 64 };

/* The largest sum of weights of a matching of n rows with n columns, weight[row * n + column], and
 * column[row], n entries: the column of each. The method of Kuhn and Munkres: O(n^3). */
int64_t tan_match(const int64_t *weight, int32_t n, int32_t *column);

#endif
