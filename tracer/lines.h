/* lines.h - start and end of a trace line, and the lock around it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TRACER_LINES_H
#define TAN_TRACER_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* Lock around anything that several threads may do; no-op until lines_have_threads. */
void lines_have_threads(void);
void lines_lock(void);
void lines_unlock(void);

/* Write "NAME:START", and ":END:REQUEST" with the line end; a negative request is omitted. */
void lines_begin(const char *name, int64_t start);
void lines_end(int64_t end, int64_t request);

#endif
