/* decide.h - the measurement that best tells two trees apart
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_DECIDE_H
#define TAN_DESIGN_CHOICE_DECIDE_H

#include "design/search/plan.h"

/* Spec of the chain or N-to-1 tree ("nto1:64") whose wave time, measured with a precision of 2 %,
 * explains most of the variance of the difference between the two trees' wave times over the
 * problem's draws; a smaller one if that is nearly as good. Written to `spec`, which is "" if none
 * explains a tenth. O(draws). */
enum { TAN_DECIDE_SPEC = 32 };
void tan_decide(const struct tan_problem *problem, const struct tan_plan *a,
                const struct tan_plan *b, char spec[TAN_DECIDE_SPEC]);

#endif
