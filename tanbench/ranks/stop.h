/* stop.h - requests to stop: signals and deaths of ranks
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
/* The same between two measurements: reacts to a signal at once, while all other ranks still
 * run. */
int stop_check_at_once(const struct world *world, struct tan_error *e);
/* Whether stop_check has reported a death. From any thread. */
bool stop_reported(void);

#endif
