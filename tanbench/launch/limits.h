/* limits.h - capacity of this host, and limits on the startup time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_LIMITS_H
#define TAN_TANBENCH_LAUNCH_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Whether all ranks start on this host: with the MPI library's own launcher (`launcher` is NULL),
 * outside a batch allocation, without a host list. */
bool launch_is_here(const char *launcher);
/* Check that this host can run `ranks` ranks that each allocate `bytes` for messages: at most
 * `per_core` per core, memory, processes, and open files of the launcher, whose soft limit is
 * raised if permitted. */
int launch_check_host(int ranks, int64_t per_core, double bytes, struct tan_error *e);
/* Seconds that `ranks` running ranks may take to connect. */
double launch_start_seconds(int ranks);
/* Default timeout in seconds for starting `ranks` ranks; 0: none, since the job may be queued. */
double launch_default_timeout(const char *launcher, int ranks);
/* Bytes of memory that are free or reclaimable; 0 if unknown. */
double limits_available_memory(void);

#endif
