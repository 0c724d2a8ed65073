/* limits.h - what this host can hold, and how long a start may take
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_LIMITS_H
#define TANBENCH_LAUNCH_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* All ranks are started on this host: by the MPI library's own launcher (`launcher` is NULL),
 * outside of a batch system's allocation, without a list of hosts. */
bool launch_is_here(const char *launcher);
/* Whether this host can hold `ranks` ranks, of which each allocates `bytes` for its messages: at
 * most `per_core` for each core, memory, processes and the launcher's open files, whose soft limit
 * is raised where that is allowed. */
int launch_check_host(int ranks, int64_t per_core, double bytes, struct tan_error *e);
/* Seconds that `ranks` ranks may take to find each other, once they run. */
double launch_start_seconds(int ranks);
/* Seconds that the start of `ranks` ranks may take when the user names none; 0: no limit, since a
 * job may wait in a queue. */
double launch_default_timeout(const char *launcher, int ranks);
/* Bytes of memory that are free or can be freed; 0: unknown. */
double limits_available_memory(void);

#endif
