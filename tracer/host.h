/* host.h - what the tracer asks its host for: a real one, or one that SimGrid simulates
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_HOST_H
#define TRACER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Two variants: host.c, to be linked with cores.c, and host_simulated.c, which also has what
 * cores.h declares. */

/* Time since some fixed moment, which in simulated time begins with MPI_Init. */
void host_time(struct timespec *t);
/* A text of at most `size` - 1 characters. */
void host_name(char *name, size_t size);
/* Return that much later, and not much later than that; at once where it is not positive. */
void host_wait(double seconds);
/* MPI_Comm_spawn has started this process. */
bool host_has_parent(void);

#endif
