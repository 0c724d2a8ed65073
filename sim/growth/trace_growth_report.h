/* trace_growth_report.h - how a traced job has become a larger one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_GROWTH_TRACE_GROWTH_REPORT_H
#define SIM_GROWTH_TRACE_GROWTH_REPORT_H

#include <stdio.h>

#include "sim/calls/trace.h"

struct json_t;
struct tan_json_writer;

/* The layout, then communicators and patterns; those that are alike in one row. */
void tan_trace_growth_print(const struct tan_trace *t, FILE *to);
/* All of them, as the members of `object`. */
void tan_trace_growth_set_json(struct tan_json_writer *w, struct json_t *object,
                               const struct tan_trace *t);

#endif
