/* terms.h - constants of formulas in the targets' documentation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_TERMS_H
#define TAN_DESIGN_TARGETS_TERMS_H

#include "design/targets/answer.h"

/* The constant for the setting that `way` puts first, in its unit; NaN if the machine file lacks
 * it. *ci95: its interval over the draws of the parameters; low > high if unknown. */
double tan_term_value(const struct tan_term *term, const struct tan_target_problem *problem,
                      const struct tan_target_way *way, struct tan_interval *ci95);

/* The cost of a child beyond the first, averaged over the `fanout` leaves of a process; with a
 * single one, of a second. Seconds. */
double tan_term_child(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout);

#endif
