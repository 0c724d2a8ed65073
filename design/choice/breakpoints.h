/* breakpoints.h - how far each parameter may move before another tree is best
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_CHOICE_BREAKPOINTS_H
#define TAN_DESIGN_CHOICE_BREAKPOINTS_H

#include "design/search/search.h"

TAN_BEGIN_DECLS

/* Parameters that are looked at: L, a, b and c. */
enum { TAN_BREAKPOINTS = 4 };
extern const int tan_breakpoint_params[TAN_BREAKPOINTS]; /* of enum tan_param */

/* For each of them the values between which `plan`, which is the best tree of the problem, stays
 * it while the other parameters are the problem's; high INFINITY: for every larger one. Exact, to
 * rounding: a wave is a straight line over each parameter, and where the lines of the plan and of a
 * better tree cross, either no tree is better, or one is whose line crosses nearer by. Not known
 * (low > high) where messages have another size than the measured one, and under max_processes,
 * where a search takes long. Some ten searches. */
int tan_breakpoints(const struct tan_problem *problem, const struct tan_plan *plan,
                    struct tan_interval stays[TAN_BREAKPOINTS], struct tan_error *e);

TAN_END_DECLS

#endif
