/* answers.h - answers to the questions of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_ANSWERS_H
#define CMD_TAN_DESIGN_ANSWERS_H

#include <jansson.h>

#include "cmd/tan-design/config.h"
#include "design/report/report.h"
#include "design/targets/answer.h"

enum { LISTED = 5 }; /* trees, unless changed by --top */

/* Each function prints its answer, unless standard output is taken by a file, and writes the
 * requested files. Fails with TAN_UNTRUSTED if there are doubts. */
int answer_design(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_hosted(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_pareto(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_fanouts(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_target(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_rules(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_predict(const struct config *c, const struct tan_provenance *from, struct tan_error *e);
int answer_messages(const struct config *c, const struct tan_provenance *from, struct tan_error *e);

/* Whether no file goes to standard output. */
bool prints_report(const struct config *c);
/* Write the files of --json and --report. Takes the reference; NULL if `document` could not be
 * made. */
int put_answer(const struct config *c, json_t *document, struct tan_error *e);
/* Write as comments, if the target's format has them, what a configuration rests on: the machine,
 * the doubts and how sure the answer is (NULL for ranges, whose lines say it). */
int write_basis(const struct config *c, const struct tan_target *target,
                const struct tan_provenance *from, const struct tan_doubts *doubts,
                const struct tan_target_answer *answer, FILE *to, struct tan_error *e);
struct tan_problem problem_of(const struct config *c, const struct tan_provenance *from);

#endif
