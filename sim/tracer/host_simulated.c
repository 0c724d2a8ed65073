/* host_simulated.c - simulated host of a traced rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include "sim/tracer/host.h"

int smpi_clock_gettime(clockid_t id, struct timespec *t);
int smpi_nanosleep(const struct timespec *t, struct timespec *left);

/* 0 before MPI_Init, when SimGrid's clock is still that of the real host. */
int64_t host_ns(void)
{
    int begun = 0;
    struct timespec t = {.tv_sec = 0};
    PMPI_Initialized(&begun);
    if (begun) {
        smpi_clock_gettime(CLOCK_MONOTONIC, &t);
    }
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void host_name(char *name, size_t size)
{
    char whole[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    PMPI_Get_processor_name(whole, &length);
    snprintf(name, size, "%.*s", (int)size - 1, whole);
}

void host_wait(double seconds)
{
    const time_t whole = seconds > 0 ? (time_t)seconds : 0;
    if (seconds > 0) {
        smpi_nanosleep(&(struct timespec){.tv_sec = whole,
                                          .tv_nsec = (long)((seconds - (double)whole) * 1e9 + 0.5)},
                       NULL);
    }
}

/* SMPI does not support spawning, and aborts on this query. */
bool host_has_parent(void)
{
    return false;
}

/* 0 cores, that is, unknown: simulated computations take the time given for them, on whichever
 * cores the simulator runs. */
struct cores_share cores_share(void)
{
    return (struct cores_share){.cores = 0};
}
