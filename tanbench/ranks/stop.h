/* stop.h - requests to stop: signals, and ranks that have died
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_STOP_H
#define TANBENCH_RANKS_STOP_H

#include <stdbool.h>

#include "base/error.h"

struct world;

/* SIGINT, SIGTERM and SIGHUP: rank 0 remembers them, so that it can save what was measured; every
 * other rank notes in its slot that it left and exits at once. */
void stop_install(const struct world *world);

/* End this process at once, noting in its slot that it was not the one that died. */
_Noreturn void stop_leave(void);

/* What has been measured is saved: a signal ends this process at once, also inside of MPI. */
void stop_uninstall(void);

/* Rank 0 was told to stop. Cheap: for waiting loops. */
bool stop_requested(void);

/* While waiting in vain: fills `e` and returns -1 when this rank was told to stop or (rank 0 only)
 * a rank of its host died; else 0. */
int stop_check(const struct world *world, struct tan_error *e);

#endif
