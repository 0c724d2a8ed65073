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
/* Check that this host can run `ranks` ranks that each allocate `bytes` for messages: it has enough
 * memory, they are not too many per core (else TAN_USAGE), and limits on processes and on the
 * launcher's open files allow them. The soft limit on open files is raised if necessary. */
int launch_check_host(int ranks, double bytes, struct tan_error *e);
/* Seconds that `ranks` ranks may take to start and find each other if they need not wait in a
 * queue. */
double launch_start_seconds(int ranks);
/* Default timeout in seconds for starting `ranks` ranks; 0: none, since the job may be queued. */
double launch_default_timeout(const char *launcher, int ranks);

#endif
