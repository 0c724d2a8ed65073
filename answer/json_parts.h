/* json_parts.h - parts that all JSON answers share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_JSON_PARTS_H
#define TAN_ANSWER_JSON_PARTS_H

#include "answer/answer.h"
#include "base/json.h"

/* The model, what the parameters tell about the cost of fanout, and the payload of the waves. */
void tan_report_set_waves(struct tan_json_writer *w, json_t *top, const struct tan_basis *from);
/* Payload of the waves: the requested size, and its growth. */
void tan_report_set_payload(struct tan_json_writer *w, json_t *top,
                            const struct tan_params *params);
/* "limits" before an objective narrowed them, those that are set; and "objective". */
void tan_report_set_limits(struct tan_json_writer *w, json_t *top, const struct tan_problem *p);
/* "up", "down" and "both", by TAN_UP, TAN_DOWN and their sum. */
extern const char *const tan_direction_names[];
/* Set seconds as microseconds; without the key if they are not finite, unknown. */
void tan_report_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);

/* Set "sensitivity", `n` rows; nothing if n is 0. */
void tan_report_set_sensitivities(struct tan_json_writer *w, json_t *object,
                                  const struct tan_sensitivity *rows, int n,
                                  enum tan_method method);

#endif
