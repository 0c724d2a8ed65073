/* trace_input.h - lines of a trace file: plain text, gzip or zstd
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_INPUT_H
#define TAN_SIM_CALLS_TRACE_INPUT_H

#include <stddef.h>

#include "base/error.h"

struct trace_input;

/* Compression is detected by content, not by name. NULL, with the reason in `e`, if it cannot be
 * read or is not a regular file. */
struct trace_input *tan_trace_input_open(const char *path, struct tan_error *e);
/* The next complete line without its end, which may be modified and is valid until the next call;
 * its length goes to `length`, unless NULL. NULL at the end of the file, which may be truncated
 * within a line, or if memory is short; an incomplete line is ignored. */
char *tan_trace_input_line(struct trace_input *in, size_t *length);
/* What is wrong with the line after the last one, if that is why reading ended; else NULL. */
const char *tan_trace_input_error(const struct trace_input *in);
/* NULL is allowed. */
void tan_trace_input_close(struct trace_input *in);

#endif
