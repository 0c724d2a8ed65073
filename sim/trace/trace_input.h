/* trace_input.h - lines of a trace file: plain text, gzip or zstd
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_INPUT_H
#define TAN_SIM_TRACE_TRACE_INPUT_H

#include <stddef.h>

#include "base/error.h"

struct trace_input;

/* Compression is detected by content, not by name. NULL, with the reason in `e`, if the file cannot
 * be read, is not a regular one, or is neither text nor compressed by gzip or zstd. */
struct trace_input *tan_trace_input_open(const char *path, struct tan_error *e);
/* The next complete line without its line end; it may be modified, and is valid until the next
 * call. *length, unless NULL, is its length. NULL after the last complete line, or after an error:
 * the line is too long, the rest cannot be read or decompressed, or memory is short. A truncated
 * compressed file ends after the last line that can be decompressed. */
char *tan_trace_input_line(struct trace_input *in, size_t *length);
/* After NULL: the error; NULL at the end of the file. */
const char *tan_trace_input_error(const struct trace_input *in);
/* NULL is allowed. */
void tan_trace_input_close(struct trace_input *in);

#endif
