/* rank_report.c - per-rank report sent to the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/rank_report.h"

#include "tanbench/ranks/mpi_try.h"

int rank_report_gather(struct waiter *side, struct rank_report *all, int ranks, struct tan_error *e)
{
    for (int rank = 1; rank < ranks; rank++) {
        MPI_Request request;
        MPI_TRY(MPI_Irecv(&all[rank], (int)sizeof all[rank], MPI_BYTE, rank, tag_up(CHANNEL_SIDE),
                          side->world->comm, &request));
        if (side_receive(side, rank, &request, e) < 0) {
            return -1;
        }
    }
    return 0;
}
