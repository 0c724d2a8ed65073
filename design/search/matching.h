/* matching.h - maximum-weight perfect matching of rows and columns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_MATCHING_H
#define TAN_DESIGN_SEARCH_MATCHING_H

#include <stdint.h>

/* Maximum number of rows and columns. */
enum { TAN_MATCH_MOST = 64 };

/* The largest total weight of a perfect matching of n rows and n columns, 1 <= n <= TAN_MATCH_MOST,
 * with weight[row * n + column]; column[row], n entries, is set to the match of each row.
 * Kuhn-Munkres algorithm, O(n^3). */
int64_t tan_match(const int64_t *weight, int32_t n, int32_t *column);

#endif
