/* sureness.h - how far parameters may be off, and what comes after the best, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_SURENESS_H
#define TAN_ANSWER_SURENESS_H

#include "answer/phrases.h"
#include "base/json.h"
#include "design/choice/design.h"
#include "design/systems/choose.h"

/* Print "How sure: 16x16x16 stays the best as long as the latency L, 10 us here, is at least 4 us
 * (0.4 times that); at half of it ...", with a sentence for each of `n` rows, after an empty line;
 * nothing if n is 0. `answer`: the name of the best. */
void tan_sensitivities_print(const struct tan_sensitivity *rows, int n, enum tan_method method,
                             const char *answer, FILE *to);
/* The rows, with these sentences, as "sensitivity" of an object; nothing if n is 0. */
void tan_sensitivities_set(struct tan_json_writer *w, struct json_t *object,
                           const struct tan_sensitivity *rows, int n, enum tan_method method,
                           const char *answer);

/* "The runner-up, TreeWidth=11, is the best with a probability of 20 % and costs 1.1 % on
 * average.", without a probability below 1 %, or, without draws (`share` NaN), "... takes 1.6 %
 * longer". */
const char *tan_runner_up_text(const char *name, double share, double mean_loss, double slower,
                               char text[TAN_SENTENCE]);

#endif
