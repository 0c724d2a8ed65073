/* limits.h - unsatisfiable limits, and suggestions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_LIMITS_H
#define TAN_DESIGN_SEARCH_LIMITS_H

#include "design/search/plan.h"

/* Whether a tree of this size is within the limits, assuming its widest process is not the root. */
bool tan_limits_allow(const struct tan_problem *problem, int64_t max_fanout, int64_t height,
                      int64_t processes);
/* Fail (TAN_INFEASIBLE, suggesting limits that work) if fanout and height, or the number of leaves
 * alone, rule out every tree. */
int tan_limits_check(const struct tan_problem *problem, struct tan_error *e);
/* Fail because no tree satisfies both max_processes and max_fanout. */
int tan_limits_fail(const struct tan_problem *problem, struct tan_error *e);

#endif
