/* progress.h - progress line on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_PROGRESS_H
#define TAN_TANBENCH_HOST_PROGRESS_H

#include <stdbool.h>

/* Whether stderr is a terminal. */
bool progress_on_terminal(void);
/* Replace the line, truncated to the terminal's width; NULL removes it. Does nothing if stderr is
 * not a terminal. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
