/* world_near.c - world of rank 0's host, for trees within a host
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/world.h"

struct world *world_near_create(const struct world *world)
{
    const int host = world->peers[0].host_index;
    const bool here = world->peers[world->rank].host_index == host;
    struct world *near = here ? malloc(sizeof *near) : NULL;
    struct peer *peers = here ? calloc((size_t)world->local_size, sizeof *peers) : NULL;
    int32_t *host_of = here ? calloc((size_t)world->local_size, sizeof *host_of) : NULL;
    MPI_Comm comm;
    if (here && (near == NULL || peers == NULL || host_of == NULL)) {
        mpi_failed(MPI_ERR_NO_MEM, "describing one host");
    }
    MPI_TRY(MPI_Comm_split(world->comm, here ? 0 : MPI_UNDEFINED, world->rank, &comm));
    if (!here) {
        return NULL;
    }
    *near = *world;
    near->whole = world;
    near->comm = comm;
    near->size = world->local_size;
    near->rank = world->peers[world->rank].local;
    near->hosts = 1;
    near->peers = peers;
    near->host_of = host_of; /* all on one host */
    for (int i = 0; i < world->size; i++) {
        if (world->peers[i].host_index == host) {
            peers[world->peers[i].local] = world->peers[i];
            peers[world->peers[i].local].leader = 0;
            peers[world->peers[i].local].host_index = 0;
        }
    }
    return near;
}

void world_near_destroy(struct world *near)
{
    if (near != NULL) {
        MPI_TRY(MPI_Comm_free(&near->comm));
        free(near->peers);
        free(near->host_of);
        free(near);
    }
}
