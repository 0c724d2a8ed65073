/* answers.h - answers to the questions of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_ANSWERS_H
#define TAN_CMD_TAN_DESIGN_ANSWERS_H

#include <jansson.h>

#include "answer/answer.h"
#include "cmd/tan-design/config.h"
#include "design/systems/setting_answer.h"

enum { LISTED = 5 }; /* trees in lists, unless changed by --top */

/* Each function prints its answer, unless a file goes to standard output, and writes the requested
 * files. If there are doubts it does so, too, and then fails with TAN_UNTRUSTED. */
int answer_design(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_hosted(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_pareto(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_fanouts(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_target(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_rules(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_predict(const struct config *c, const struct tan_basis *from, struct tan_error *e);
int answer_messages(const struct config *c, const struct tan_basis *from, struct tan_error *e);

/* Print the answer of a document, NULL for want of memory, unless a file goes to standard output.
 * Returns the document. */
json_t *show_answer(const struct config *c, json_t *document);
/* The end of an answer: write the files of --json and --report, fail if there are doubts, or if the
 * document is NULL. Takes its reference. */
int end_answer(const struct config *c, json_t *document, const struct tan_basis *from,
               struct tan_error *e);
/* Begin the file of --output with the document's answer as comments, but for what to paste and what
 * comes next. Nothing if `document` is NULL, or `comment`, the prefix of comments in this format.
 * The caller commits or discards the result; NULL with an error. */
struct tan_output *begin_output(const struct config *c, const json_t *document, const char *comment,
                                struct tan_error *e);
/* Fail if the machine file does not say what messages within a host cost. */
int need_host_tier(const struct tan_basis *from, struct tan_error *e);
/* The problem of the command line with the chosen model and the machine's parameters; borrows
 * both. */
struct tan_problem problem_of(const struct config *c, const struct tan_basis *from);

#endif
