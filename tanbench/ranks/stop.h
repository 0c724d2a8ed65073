/* stop.h - requests to stop: signals, deaths of ranks, and waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_STOP_H
#define TAN_TANBENCH_RANKS_STOP_H

#include <stdbool.h>

#include "base/error.h"

struct world;

/* Handle SIGINT, SIGTERM and SIGHUP: rank 0 records them, so that it can save its results; every
 * other rank notes an orderly end in its slot and continues for a second, in which rank 0 may end
 * it. */
void stop_install(const struct world *world);

/* End this process at once, noting an orderly end in its slot. */
_Noreturn void stop_leave(void);

/* After saving the results: a signal ends this process at once, even inside MPI. */
void stop_uninstall(void);

/* Whether rank 0 has received a stop signal. Cheap: for waiting loops. */
bool stop_requested(void);

/* For waiting loops. Rank 0: sets `e` and returns -1 after the death of a rank of its host, shortly
 * before a deadline, and half a second after a stop signal, or at once if other ranks
 * of its host have received it, too. Else, and on all other ranks, returns 0. */
int stop_check(const struct world *world, struct tan_error *e);
/* Whether stop_check has reported a death. From any thread. */
bool stop_reported(void);

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
