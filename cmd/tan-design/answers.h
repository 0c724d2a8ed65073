/* answers.h - answers to the questions of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_ANSWERS_H
#define TAN_CMD_TAN_DESIGN_ANSWERS_H

#include "answer/answer.h"
#include "cmd/tan-design/config.h"

/* Each function prints its answer, unless a file goes to standard output, and writes the requested
 * files. If there are doubts it does so, too, and then fails with TAN_UNTRUSTED. */
typedef int answer_function(const struct config *c, const struct tan_basis *from,
                            struct tan_error *e);
answer_function answer_design, answer_hosted, answer_pareto, answer_fanouts, answer_target,
    answer_rules, answer_predict, answer_messages;

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
/* Note that racks which the machine file knows are not used, and return whether it knows any. */
bool note_racks(const struct config *c, const struct tan_machine *machine,
                struct tan_doubts *doubts);
/* The problem of the command line with the chosen model and the machine's parameters; borrows
 * both. */
struct tan_problem problem_of(const struct config *c, const struct tan_basis *from);

/* Messages of the waves, and models of their cost */

/* Bytes that each leaf sends: as asked for, or as measured. */
int64_t wave_bytes(const struct config *c, const struct tan_machine *machine);
/* The payload for messages of `bytes`, destroyed by the caller. NULL if messages are as measured,
 * and under --bandwidth, where the parameters include it. */
int wave_payload(const struct tan_basis *from, int64_t bytes, const struct tan_payload_rule *growth,
                 struct tan_payload **payload, struct tan_error *e);
/* For systems with a setting per direction: only the way up has a filter. If that takes time, and
 * the model can price single directions, make the parameters those of one way up and one way down,
 * in place of half a round trip, and return true. */
bool wave_work_apart(const struct config *c, struct tan_params *up, struct tan_params *down);

/* The tree written by --output */

/* List the formats. */
void tree_output_help(FILE *to);
/* Set the option --format. */
int tree_output_set_format(void *config, const char *what, const char *value, struct tan_error *e);
/* The format from --format or the ending of the file of --output; NULL and an error if neither
 * tells. */
const struct tan_format *tree_output_format(const struct config *c, struct tan_error *e);
/* Write a recommended tree to the file of --output, its processes in depth-first order, so that
 * whoever puts them on hosts in the order of the file has subtrees on consecutive hosts. If the
 * format has comments, the document's answer comes first. */
int tree_output_write(const struct config *c, const struct tan_tree *tree, const json_t *document,
                      struct tan_error *e);
/* Write a given tree there, its processes in its own order. */
int tree_output_convert(const struct config *c, const char *spec, struct tan_error *e);

#endif
