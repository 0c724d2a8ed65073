/* terms.h - constants of the formula of a target's own documents
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_TERMS_H
#define TAN_DESIGN_TARGETS_TERMS_H

#include "design/targets/answer.h"

/* The parameters that decide about a way of an answer. */
const struct tan_params *tan_way_params(const struct tan_target_problem *problem,
                                        const struct tan_target_way *way);
/* The constant for the setting of that way, in its unit; NaN: not known. *ci95: low > high when not
 * known. */
double tan_term_value(const struct tan_term *term, const struct tan_target_problem *problem,
                      const struct tan_target_way *way, struct tan_interval *ci95);

#endif
