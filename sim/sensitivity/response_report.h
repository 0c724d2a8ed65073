/* response_report.h - finish time as a function of a cost of messages, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_RESPONSE_REPORT_H
#define TAN_SIM_SENSITIVITY_RESPONSE_REPORT_H

#include <stdio.h>

#include "sim/sensitivity/response.h"

struct json_t;
struct tan_json_writer;

/* The answer in two sentences, a table of the pieces, of which the inner ones are left out if there
 * are many, and how exact they are. */
void tan_response_print(const struct tan_response *r, FILE *to);
/* Fill `object` with the same, and all pieces. */
void tan_response_json(struct tan_json_writer *w, struct json_t *object,
                       const struct tan_response *r);

#endif
