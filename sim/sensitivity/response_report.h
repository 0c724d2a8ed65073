/* response_report.h - finish time as a function of a cost of messages, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_RESPONSE_REPORT_H
#define TAN_SIM_SENSITIVITY_RESPONSE_REPORT_H

#include <stdio.h>

#include "sim/schedule/times.h"
#include "sim/sensitivity/response.h"

struct json_t;
struct tan_json_writer;

/* A value of a cost, or what is added to it, as text: "1.5 us", "0.1 ns/B". */
const char *tan_cost_text(enum tan_cost cost, double value, char text[TAN_TIME_TEXT]);

/* The answer in two sentences, a table of the pieces, of which the inner ones are left out if there
 * are many, and how exact they are. */
void tan_response_print(const struct tan_response *r, FILE *to);
/* The members of `object` that say how exact the response is, and how many simulations that took.
 */
void tan_response_exactness_json(struct tan_json_writer *w, struct json_t *object,
                                 const struct tan_response *r);
/* Fill `object` with the same, and all pieces. */
void tan_response_json(struct tan_json_writer *w, struct json_t *object,
                       const struct tan_response *r);

#endif
