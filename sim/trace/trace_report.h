/* trace_report.h - a traced program next to its simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TRACE_TRACE_REPORT_H
#define SIM_TRACE_TRACE_REPORT_H

#include <stdio.h>

#include "sim/engine/simulation.h"
#include "sim/trace/trace_schedule.h"

struct json_t;
struct tan_json_writer;

/* Each rank's run time as traced and as simulated, of many ranks the shortest and the longest; then
 * the calls, the longest first. */
void tan_trace_print(const struct tan_trace *t, const struct tan_simulation *s, FILE *to);
/* The same as the members of `object`. */
void tan_trace_set_json(struct tan_json_writer *w, struct json_t *object, const struct tan_trace *t,
                        const struct tan_simulation *s);

#endif
