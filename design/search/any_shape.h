/* any_shape.h - best tree of any shape, with overlapping requests and answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_ANY_SHAPE_H
#define TAN_DESIGN_SEARCH_ANY_SHAPE_H

#include <stdint.h>

#include "design/search/plan.h"

/* Maximum number of rows and columns of a matching. */
enum { TAN_MATCH_MOST = 64 };

/* The largest total weight of a perfect matching of n rows and n columns, 1 <= n <= TAN_MATCH_MOST,
 * with weight[row * n + column]; column[row], n entries, is set to the match of each row.
 * Kuhn-Munkres algorithm, O(n^3). */
int64_t tan_match(const int64_t *weight, int32_t n, int32_t *column);

/* Maximum number of leaves. */
enum { TAN_ANY_SHAPE_LEAVES = 4096 };

/* The best tree for the problem's leaves if every node may have a different subtree. It is the
 * fastest under tan-overlap where gaps do not exceed overheads (overlap.h), with one restriction:
 * nodes with more than 64 children only ask them by descending or ascending size. Takes seconds for
 * 4096 leaves. *tree: destroyed by the caller; *wave: half a round trip, seconds, by tan_wave_time.
 * Fails (TAN_USAGE) for another model, waves in one direction, limits on height, processes or loss
 * or to a single child, messages of another size than measured, and numbers of leaves other than 2
 * to TAN_ANY_SHAPE_LEAVES; fails also when memory is short. */
int tan_any_shape(const struct tan_problem *problem, struct tan_tree **tree, double *wave,
                  struct tan_error *e);

#endif
