/* host.h - services of the host, real or simulated by SimGrid, and cores shared by ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_HOST_H
#define TAN_SIM_TRACER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two implementations: host.c and host_simulated.c. */

/* Nanoseconds since an arbitrary fixed point; simulated time starts at MPI_Init. Two readings may
 * be in reverse order if they are less than a microsecond apart. */
int64_t host_ns(void);
/* Complete all instructions up to here, before the clock is read: processors run ahead, and would
 * count some of the program's work as the tracer's, or the reverse. */
static inline void host_complete(void)
{
#ifdef __x86_64__
    __builtin_ia32_lfence();
#endif
}
/* The name of this host, truncated to `size` - 1 characters. */
void host_name(char *name, size_t size);
/* Wait for that time, accurately; not at all if it is not positive. */
void host_wait(double seconds);
/* Whether MPI_Comm_spawn started this process. */
bool host_has_parent(void);

/* Of the host with the most ranks per core: its ranks, and the processors that they may use
 * together; 0 if unknown. */
struct cores_share {
    int ranks, cores;
    char host[128]; /* host name */
};

/* Collective over MPI_COMM_WORLD. */
struct cores_share cores_share(void);

#endif
