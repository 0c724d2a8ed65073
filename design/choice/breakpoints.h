/* breakpoints.h - range of each parameter within which a tree stays the best
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_BREAKPOINTS_H
#define TAN_DESIGN_CHOICE_BREAKPOINTS_H

#include "design/search/search.h"
#include "design/search/sensitivity.h"

/* L, a, b and c. */
enum { TAN_BREAKPOINTS = 4 };
extern const int tan_breakpoint_params[TAN_BREAKPOINTS]; /* of enum tan_param */

/* For each of them the range in which `plan`, the best tree of the problem, stays the best while
 * the other parameters are those of the problem; high INFINITY if unbounded. Exact up to rounding
 * if a wave is a linear function of each parameter, as in models that are sums of levels: where the
 * lines of the plan and of a better tree cross, either no tree is better, or the line of a better
 * one crosses closer to the present value. Unknown (low > high) if messages differ in size from the
 * measured ones, under max_processes, where searching is slow, and under a model with `node`, where
 * a wave is no linear function and a tree may be the best in several ranges. Takes about ten
 * searches. */
int tan_breakpoints(const struct tan_problem *problem, const struct tan_plan *plan,
                    struct tan_interval stays[TAN_BREAKPOINTS], struct tan_error *e);

/* How far each parameter may be off before `plan`, the best tree, is no longer the best, and the
 * best tree at half and twice its value (sensitivity.h). None under max_processes, where searching
 * is slow. */
int tan_plan_sensitivities(const struct tan_problem *problem, const struct tan_plan *plan,
                           struct tan_sensitivity rows[TAN_SENSITIVITIES], int *n,
                           struct tan_error *e);

#endif
