/* watch.h - detection of deaths of processes that a rank depends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_WATCH_H
#define TAN_TANBENCH_RANKS_WATCH_H

#include <stdbool.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* A separate thread sleeps until the kernel reports the end of a watched process (pidfd_open), so
 * that a death is detected even while the rank sleeps or is inside MPI, and watching has no other
 * cost. On kernels before 5.3 it polls twice a second. */

/* Watch the processes that started this one, and end at once if they do, so that no rank is left
 * behind whichever of them is killed. Before MPI_Init; best effort. */
void watch_parents(void);

/* Each host's leader watches the host's other ranks, and they watch the leader. After a death rank
 * 0 has some seconds for an orderly end (stop_check returns -1), and all others exit at once, which
 * their launcher notices. The death is reported by rank 0, or on other hosts, or if it is rank 0's,
 * by the first rank to notice it. */
int watch_ranks(const struct world *world, struct tan_error *e);

/* Whether a rank of this host died. */
bool watch_death(const struct world *world);

/* This rank has finished or aborts: its end is not a death. */
void watch_done(const struct world *world);

#endif
