/* trace_text.h - text of a rank's trace, from libtantrace or LogGOPSim's liballprof
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_TEXT_H
#define TAN_SIM_CALLS_TRACE_TEXT_H

#include "base/error.h"
#include "sim/calls/trace_event.h"
#include "sim/calls/trace_names.h"

struct trace_text;

/* Open the file of `rank` of `ranks`; path and names are borrowed. NULL on failure. */
struct trace_text *tan_trace_text_open(const char *path, uint32_t rank, uint32_t ranks,
                                       struct trace_names *names, struct tan_error *e);
/* 1: *event is the next one; 0: the file has no more complete lines; -1: error. O(length of the
 * line). */
int tan_trace_text_next(struct trace_text *t, struct trace_event *event, struct tan_error *e);
/* Facts about the whole file that have been read so far. */
const struct trace_source *tan_trace_text_source(const struct trace_text *t);
/* NULL is allowed. */
void tan_trace_text_close(struct trace_text *t);

#endif
