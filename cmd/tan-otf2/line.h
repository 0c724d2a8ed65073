/* line.h - calls as lines of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_OTF2_LINE_H
#define TAN_CMD_TAN_OTF2_LINE_H

#include <stdio.h>

#include "sim/calls/trace_event.h"

/* Write the line from which tan-sim reads this event; `call` has the positions of its arguments. */
void line_write_call(FILE *to, const struct trace_call *call, const struct trace_event *event);
/* Write a call of which only the time is known, in nanoseconds. */
void line_write_time(FILE *to, const char *name, int64_t start, int64_t end);
/* Write a communicator and its `size` members, as ranks of the job. */
void line_write_comm(FILE *to, int64_t comm, const uint32_t *rank, uint32_t size);

#endif
