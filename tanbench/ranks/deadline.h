/* deadline.h - time limit for waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_DEADLINE_H
#define TAN_TANBENCH_RANKS_DEADLINE_H

#include "base/error.h"

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

/* For waiting loops, which allow an orderly end: DEADLINE_GRACE seconds before the deadline, end
 * it, set `e` to DEADLINE_PASSED, with the seconds waited, and return -1; else return 0. */
enum { DEADLINE_GRACE = 5 };
#define DEADLINE_PASSED                                                                            \
    "nothing came back within %.3g s (--start-timeout allows more): a connection between ranks "   \
    "broke or did not open"
int deadline_check(struct tan_error *e);

#endif
