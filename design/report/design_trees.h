/* design_trees.h - trees of a design: the best, by rules of thumb, and given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_DESIGN_TREES_H
#define TAN_DESIGN_REPORT_DESIGN_TREES_H

#include <stdio.h>

#include "design/choice/compare.h"
#include "design/report/fields.h"

extern const struct tan_field tan_comparison_fields[]; /* of struct tan_comparison */
extern const struct tan_field tan_compared_fields[];   /* of struct tan_compared */

/* Print the costs of a plan's levels for the problem of the design. */
void tan_design_print_levels(const struct tan_design *d, const struct tan_plan *plan, FILE *to);
/* Print at most `listed` of the best trees; those by rules of thumb and other models; and `n` given
 * trees, compared with the best one. */
void tan_design_print_choices(const struct tan_design *d, int listed, FILE *to);
void tan_design_print_comparisons(const struct tan_design *d, FILE *to);
void tan_design_print_compared(const struct tan_design *d, const struct tan_compared *compared,
                               size_t n, FILE *to);

/* Set a choice and its levels. */
void tan_design_set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                           const struct tan_choice *c);

#endif
