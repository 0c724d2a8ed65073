/* progress.h - progress line on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_PROGRESS_H
#define TANBENCH_HOST_PROGRESS_H

#include <stdbool.h>

/* stderr is a terminal. */
bool progress_on_terminal(void);
/* Replace the line, as much of it as the terminal is wide; NULL removes it. Does nothing when
 * stderr is no terminal. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
