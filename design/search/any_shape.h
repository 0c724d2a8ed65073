/* any_shape.h - the best tree of any shape, where requests and answers overlap
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_SEARCH_ANY_SHAPE_H
#define TAN_DESIGN_SEARCH_ANY_SHAPE_H

#include "design/search/plan.h"

TAN_BEGIN_DECLS

/* Most leaves. */
enum { TAN_ANY_SHAPE_LEAVES = 4096 };

/* The tree for the problem's leaves in which every node may have other children: the fastest under
 * tan-overlap where gaps are not above overheads (overlap.h), with nodes of more than
 * TAN_MATCH_MOST children (matching.h) asking them by falling or rising size only. The limits are
 * those on fanout and connections, and there is no payload that grows. Seconds for 4096 leaves.
 * *tree: the caller destroys it; *wave: half a round trip, seconds, by tan_wave_time. Fails where
 * the problem is none of these, or memory is short.
 *
 * A node with x children has its last answer at t if each child i, which gets its request i sends
 * after the first, takes no longer than lets its answer be the one before j others; so children and
 * answers are matched, with the most leaves that a tree of so long has as weights. */
int tan_any_shape(const struct tan_problem *problem, struct tan_tree **tree, double *wave,
                  struct tan_error *e);

TAN_END_DECLS

#endif
