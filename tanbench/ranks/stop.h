/* stop.h - requests to stop: signals, and waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_STOP_H
#define TAN_TANBENCH_RANKS_STOP_H

#include <stdbool.h>

#include "base/error.h"

struct world;

/* Handle SIGINT, SIGTERM and SIGHUP: rank 0 records them, so that it can save its results; every
 * other rank notes them in its slot and continues for a second, in which rank 0 may end it. */
void stop_install(const struct world *world);

/* After saving the results: a signal ends this process at once, even inside MPI. */
void stop_uninstall(void);

/* Whether rank 0 has received a stop signal. Cheap: for waiting loops. */
bool stop_requested(void);

/* For waiting loops. Rank 0: sets `e` and returns -1 shortly before a deadline, and half a second
 * after a stop signal, or at once if other ranks of its host have received it, too. Else, and on
 * all other ranks, returns 0. */
int stop_check(const struct world *world, struct tan_error *e);

/* Print "tanbench: TEXT" and end this process, and with it the job, unless deadline_end is called
 * within `seconds`, or up to one more; 0: no limit. Time during which the process is stopped does
 * not count. Also effective while it is blocked inside MPI, whose connections may never open.
 * Without a `format` nothing is printed. For one thread and one deadline at a time: the latest one
 * replaces the others. */
void deadline_begin(double seconds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What was awaited has come: its `seconds` begin again. */
void deadline_renew(void);
/* Remove the deadline, if there is one. */
void deadline_end(void);

/* stop_check ends a deadline so many seconds before it passes, and says DEADLINE_PASSED, with the
 * seconds waited. */
enum { DEADLINE_GRACE = 5 };
#define DEADLINE_PASSED                                                                            \
    "nothing came back within %.3g s (--start-timeout allows more): a connection between ranks "   \
    "broke or did not open"

#endif
