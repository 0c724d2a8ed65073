/* watch.h - detection of the death of processes that a rank depends on
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

/* Each host's leader watches the host's other ranks, which watch it. After a death the leader has
 * some seconds to end its part in order (stop_check tells it), the others exit at once. It is the
 * process that started the job that reports the death, or rank 0 in its error; where neither can,
 * the rank that sees it first. */
int watch_ranks(const struct world *world, struct tan_error *e);

/* A rank of this host died. */
bool watch_death(const struct world *world);
/* And the process that started the job reports it. */
bool watch_death_is_reported(const struct world *world);

/* This rank has done its part, or gives up: when it ends, it has not died. */
void watch_done(const struct world *world);

#endif
