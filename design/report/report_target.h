/* report_target.h - settings of target systems as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_REPORT_TARGET_H
#define TAN_DESIGN_REPORT_REPORT_TARGET_H

#include "design/report/report.h"
#include "design/targets/answer.h"

/* The best setting of one target, or the given one, in each direction: the wave of its tree, other
 * settings, defaults, constants of the target's own formula, how sure the choice is, and the lines
 * for its configuration. */
void tan_report_target(const struct tan_target_answer *answer, FILE *to);

/* What the setting of a way gains in expected waves with the problem's probability of failures, if
 * that is more than a hundredth, or without one how rare they must be for it to be the best; after
 * an empty line. */
void tan_report_expected(const struct tan_target_answer *answer, int way, FILE *to);
/* How sure the choice of each setting is, after a blank line each; nothing without error bars. */
void tan_report_sureness(const struct tan_target_answer *answer, FILE *to);

/* One row of the table of all targets. */
struct tan_target_row {
    struct tan_target_problem problem;
    struct tan_target_way way[2]; /* n_ways entries */
    int n_ways;
};
/* The rows in one table, in their order. */
void tan_report_targets(const struct tan_target_row *rows, size_t n, FILE *to);

/* The same as JSON, `tan-target/1` and `tan-targets/1`; the caller owns the reference. NULL if
 * memory is short or a text is not UTF-8. */
struct json_t *tan_target_to_json(const struct tan_target_answer *answer,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_targets_to_json(const struct tan_target_row *rows, size_t n,
                                   const struct tan_provenance *from,
                                   const struct tan_doubts *doubts);

#endif
