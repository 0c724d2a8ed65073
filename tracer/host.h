/* host.h - services of the host, real or simulated by SimGrid
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TRACER_HOST_H
#define TAN_TRACER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Two implementations: host.c, linked together with cores.c, and host_simulated.c, which also
 * implements cores.h. */

/* Time since an arbitrary fixed point; simulated time starts at MPI_Init. */
void host_time(struct timespec *t);
/* The name of this host, truncated to `size` - 1 characters. */
void host_name(char *name, size_t size);
/* Wait for that time, accurately; not at all if it is not positive. */
void host_wait(double seconds);
/* Whether MPI_Comm_spawn started this process. */
bool host_has_parent(void);

#endif
