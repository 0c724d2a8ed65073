/* host.c - real host of a traced process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/host.h"

#include <mpi.h>
#include <unistd.h>

void host_time(struct timespec *t)
{
    clock_gettime(CLOCK_MONOTONIC, t);
}

void host_name(char *name, size_t size)
{
    name[size - 1] = '\0';
    gethostname(name, size - 1);
}

static double host_seconds(void)
{
    struct timespec t;
    host_time(&t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Sleeping overshoots, so spin for the last part. */
void host_wait(double wanted)
{
    const double late = 2e-4;
    const double end = host_seconds() + wanted;
    if (wanted > late) {
        const double asleep = wanted - late;
        const time_t whole = (time_t)asleep;
        nanosleep(
            &(struct timespec){.tv_sec = whole, .tv_nsec = (long)((asleep - (double)whole) * 1e9)},
            NULL);
    }
    while (host_seconds() < end) {
    }
}

bool host_has_parent(void)
{
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}
