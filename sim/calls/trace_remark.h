/* trace_remark.h - what makes the prediction from a trace doubtful
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_REMARK_H
#define SIM_CALLS_TRACE_REMARK_H

#include "sim/calls/trace.h"
#include "sim/calls/trace_event.h"

/* A remark, once; it takes printf's arguments. */
__attribute__((format(printf, 2, 3))) void tan_trace_remark(struct tan_trace *t, const char *format,
                                                            ...);
/* The same for one rank's file. */
__attribute__((format(printf, 2, 3))) void tan_trace_doubt(struct trace_source *s,
                                                           const char *format, ...);

#endif
