/* design_trees.h - levels and trees of a design: the best, by rules of thumb, and given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_DESIGN_TREES_H
#define TAN_ANSWER_DESIGN_TREES_H

#include <stdio.h>

#include "answer/fields.h"
#include "design/choice/forecast.h"

/* A level, or the sum of all. Times are seconds, NaN if not known separately. */
struct tan_level_row {
    int64_t fanout, nodes; /* nodes: 0 if unknown */
    double latency, overhead, work, gap, cost;
};

/* Columns ".level=" or ".levels=", "nodes", "fanout=" and TAN_LEVEL_COSTS. */
extern const struct tan_field tan_level_fields[];
#define TAN_LEVEL_COSTS "latency_us overhead_us gap_us= cost_us"

/* The costs of a level with this fanout, in place of level->fanout, which is too narrow for
 * designs: latency, gap and the overhead that makes up the rest, including the work. Latency and
 * overhead are NaN unless the parameters separate them. */
struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params);
/* Add a line for `n` levels like `row`, and add their costs to *sum unless that is NULL. `label`
 * and `fanout` are the line's first and "fanout=" cells. */
void tan_level_list(struct tan_listing *listing, const struct tan_level_row *row, int n,
                    const char *label, const char *fanout, struct tan_level_row *sum);

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
