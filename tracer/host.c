/* host.c - the real host of a traced process
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

bool host_has_parent(void)
{
    MPI_Comm parent;

    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}
