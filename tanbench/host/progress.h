/* progress.h - progress of a run on stderr
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_PROGRESS_H
#define TAN_TANBENCH_HOST_PROGRESS_H

#include <stdbool.h>

/* Say where a run is and what it does: on a terminal in a line that replaces the last one, unless
 * that is younger than half a second and not `another` part of the run has begun; elsewhere in
 * lines that stay, one a minute, none in the first. */
void progress_say(bool another, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Remove the line from the terminal. */
void progress_hide(void);

#endif
