/* lines.h - beginning and end of a trace's line, and the lock around it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_LINES_H
#define TRACER_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* Around whatever several threads may do at once; nothing until they may. */
void lines_have_threads(void);
void lines_lock(void);
void lines_unlock(void);

/* "NAME:START", and ":END:REQUEST" with the line's end; a request below 0 is none. */
void lines_begin(const char *name, int64_t start);
void lines_end(int64_t end, int64_t request);

#endif
