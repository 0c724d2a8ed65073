/* watch.h - detection of the death of processes that a rank depends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_WATCH_H
#define TANBENCH_RANKS_WATCH_H

#include <stdbool.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* A thread of its own sleeps until the kernel reports the end of a watched process (pidfd_open), so
 * a death is noticed also while the rank sleeps or is inside of MPI, and watching costs nothing
 * until then. Kernels before 5.3: it polls twice a second. */

/* Watch the processes that started this one: without them it ends at once, so that no rank is left
 * behind whichever of them is killed. Before MPI_Init; best effort. */
void watch_parents(void);

/* Each host's leader watches the host's other ranks, which watch it. After a death the leader has
 * some seconds for an orderly end (stop_check returns -1), the others exit at once. The death is
 * reported by the process that started the job, or by rank 0 in its error; where neither can, by
 * the first rank to notice it. */
int watch_ranks(const struct world *world, struct tan_error *e);

/* A rank of this host died. */
bool watch_death(const struct world *world);
/* And the process that started the job reports it. */
bool watch_death_is_reported(const struct world *world);

/* This rank has ended its part, or aborts: its end is not a death. */
void watch_done(const struct world *world);

#endif
