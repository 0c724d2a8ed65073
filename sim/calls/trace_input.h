/* trace_input.h - lines of a trace's file: plain text, gzip or zstd
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_INPUT_H
#define SIM_CALLS_TRACE_INPUT_H

#include <stddef.h>

#include "base/error.h"

struct trace_input;

/* What a file is compressed with is told by its first bytes, not by its name. NULL: it cannot be
 * read or is no regular file, and `e` says why. */
struct trace_input *tan_trace_input_open(const char *path, struct tan_error *e);
/* The next whole line without its end, which may be changed and lasts until the next call; its
 * length in bytes goes to `length`, unless NULL. NULL: the file ends here, maybe within a line or
 * where a killed program has cut it, or memory is short; what is left of a line is left out. */
char *tan_trace_input_line(struct trace_input *in, size_t *length);
/* What is wrong with the line after the last one, where that is why it was the last; else NULL. */
const char *tan_trace_input_error(const struct trace_input *in);
/* NULL is allowed. */
void tan_trace_input_close(struct trace_input *in);

#endif
