/* cores.c - cores shared by traced ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/cores.h"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

/* The ranks on this host, and all processors that any of them may use. */
static struct cores_share share_here(void)
{
    struct cores_share share = {.cores = 0};
    cpu_set_t own;
    cpu_set_t together;
    MPI_Comm host;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_size(host, &share.ranks);
    PMPI_Allreduce(&own, &together, sizeof own, MPI_BYTE, MPI_BOR, host);
    PMPI_Comm_free(&host);
    share.cores = CPU_COUNT(&together);
    gethostname(share.host, sizeof share.host - 1);
    return share;
}

struct cores_share cores_share(void)
{
    struct {
        double load;
        int rank;
    } most;
    struct cores_share share = share_here();
    most.load = share.cores == 0 ? 0.0 : (double)share.ranks / share.cores;
    PMPI_Comm_rank(MPI_COMM_WORLD, &most.rank);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    PMPI_Bcast(&share, sizeof share, MPI_BYTE, most.rank, MPI_COMM_WORLD);
    return share;
}
