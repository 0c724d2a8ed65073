/* watch.h - noticing at once that a process which this rank depends on is gone
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_WATCH_H
#define TANBENCH_RANKS_WATCH_H

#include <stdbool.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* A thread of its own sleeps until the kernel says that one of the watched processes has ended
 * (pidfd_open), so a rank notices also while it sleeps or is inside of MPI, and watching costs
 * nothing until then. Kernels before 5.3: it looks twice a second. */

/* Watch those that started this process: without them it ends at once, so that none is left behind
 * whoever is killed. Before MPI_Init; best effort. */
void watch_parents(void);

/* Each host's leader watches the host's other ranks, which watch it. The one that sees a death
 * first says whose it was; the leader then has some seconds to end its part in order (stop_check
 * tells it), the others exit at once. */
int watch_ranks(const struct world *world, struct tan_error *e);

/* What is being measured, for what is said of a death. Rank 0. */
void watch_during(const struct world *world, const char *what);

/* A rank of this host died, and that has been said. */
bool watch_death(const struct world *world);

/* This rank has done its part, or gives up: when it ends, it has not died. */
void watch_done(const struct world *world);

#endif
