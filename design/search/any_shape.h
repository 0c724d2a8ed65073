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
 * 64 children asking them by falling or rising size only. Limits may be those on fanout and
 * connections; messages are of the measured size. Seconds for 4096 leaves. *tree: the caller
 * destroys it; *wave: half a round trip, seconds, by tan_wave_time. Fails for other problems, and
 * where memory is short.
 *
 * A child that is asked after i others, and answers before j others, may take as long as they leave
 * it of its parent's time (docs/models.md). Its i and j are matched, with the most leaves that a
 * node has in that time as weights. */
int tan_any_shape(const struct tan_problem *problem, struct tan_tree **tree, double *wave,
                  struct tan_error *e);

TAN_END_DECLS

#endif
