/* cache_walk.h - a process that displaces what the caches of a core hold
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_CACHE_WALK_H
#define TANBENCH_HOST_CACHE_WALK_H

#include <sys/types.h>

#include "base/error.h"

/* Where processes take turns on a core, one that runs again soon, or after few others, finds its
 * data in the caches, and is twice as fast as another. So that all are alike, start a process that
 * writes to every line of memory of twice the size of the second-level cache, in small pages,
 * whenever nothing else wants the core that this process is bound to (SCHED_IDLE). It ends with its
 * parent. Only where cores_take_at_once is allowed: Linux gives sessions equal shares of a core,
 * whatever their processes' class. Returns its number, or -1 with an error. */
pid_t cache_walk_start(struct tan_error *e);
/* End it; -1: there is none. */
void cache_walk_stop(pid_t walk);

#endif
