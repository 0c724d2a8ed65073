/* report.c - what every rank of a tree has to tell the root once waves are over
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/report.h"

#include "tanbench/check.h"

void report_send(struct waiter *side, const struct report *mine)
{
    struct bell *bell = world_bell(side->world, 0, CHANNEL_SIDE);

    MPI_TRY(MPI_Send(mine, (int)sizeof *mine, MPI_BYTE, 0, channel_tag(CHANNEL_SIDE, true),
                     side->world->comm));
    if (bell && side->policy->rings) {
        bell_ring(bell, 1);
    }
}

int report_gather(struct waiter *side, struct report *all, int ranks, struct tan_error *e)
{
    for (int rank = 1; rank < ranks; rank++) {
        MPI_Request request;
        struct receives r = {.requests = &request,
                             .n = 1,
                             .local = world_bell(side->world, rank, CHANNEL_SIDE) != NULL};
        MPI_TRY(MPI_Irecv(&all[rank], (int)sizeof all[rank], MPI_BYTE, rank,
                          channel_tag(CHANNEL_SIDE, true), side->world->comm, &request));
        if (wait_receive(side, &r, e)) {
            return -1;
        }
    }
    return 0;
}
