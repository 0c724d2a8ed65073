/* decide.h - the measurement that would tell two trees apart
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_CHOICE_DECIDE_H
#define TAN_DESIGN_CHOICE_DECIDE_H

#include "design/search/plan.h"

TAN_BEGIN_DECLS

/* Spec of the chain or N-to-1 tree ("nto1:64") whose wave time goes best with the difference of the
 * two trees' over the problem's draws, as far as a measurement to 2 % can tell; the smallest of
 * those that tell nearly as much. Into `spec`, which is "" where none tells anything. O(draws). */
enum { TAN_DECIDE_SPEC = 32 };
void tan_decide(const struct tan_problem *problem, const struct tan_plan *a,
                const struct tan_plan *b, char spec[TAN_DECIDE_SPEC]);

TAN_END_DECLS

#endif
