/* messages.h - predictions for single messages by every point-to-point model
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_MESSAGES_H
#define TAN_ANSWER_MESSAGES_H

#include <stdio.h>

#include "answer/answer.h"
#include "model/machine/p2p.h"

/* Fail unless the machine file has a p2p block. */
int tan_messages_check(const struct tan_provenance *from, struct tan_error *e);
/* Fail also unless it has the parameters of at least one model. */
int tan_messages_check_models(const struct tan_provenance *from, struct tan_error *e);
/* An answer with a row per size (`bytes`, n > 0 entries) and a column per model with known
 * parameters; as details the times until the sender continues, and the overlap with `computation`
 * seconds (NaN: none); what the parameters violate, and what the file lacks. */
json_t *tan_answer_messages(const int64_t *bytes, size_t n, double computation,
                            const struct tan_provenance *from, const struct tan_doubts *doubts);
/* The same as `tan-p2p/1`; the caller owns the reference. NULL if memory is short or a text is not
 * UTF-8. */
struct json_t *tan_messages_to_json(const int64_t *bytes, size_t n, double computation,
                                    const struct tan_provenance *from,
                                    const struct tan_doubts *doubts);

#endif
