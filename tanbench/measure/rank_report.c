/* rank_report.c - per-rank report sent to the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/rank_report.h"

#include "tanbench/ranks/mpi_try.h"

void rank_report_send(struct waiter *side, const struct rank_report *mine)
{
    struct doorbell *bell = world_doorbell(side->world, 0, CHANNEL_SIDE);
    MPI_TRY(
        MPI_Send(mine, (int)sizeof *mine, MPI_BYTE, 0, tag_up(CHANNEL_SIDE), side->world->comm));
    if (bell != NULL && side->policy->rings) {
        doorbell_ring(bell, 1);
    }
}

int rank_report_gather(struct waiter *side, struct rank_report *all, int ranks, struct tan_error *e)
{
    for (int rank = 1; rank < ranks; rank++) {
        MPI_Request request;
        struct receives r = {.requests = &request,
                             .n = 1,
                             .local = world_doorbell(side->world, rank, CHANNEL_SIDE) != NULL};
        MPI_TRY(MPI_Irecv(&all[rank], (int)sizeof all[rank], MPI_BYTE, rank, tag_up(CHANNEL_SIDE),
                          side->world->comm, &request));
        if (wait_receive(side, &r, e) < 0) {
            return -1;
        }
    }
    return 0;
}
