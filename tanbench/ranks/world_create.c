/* world_create.c - setup of a world: ranks find and number each other
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "bench/plan/rank_map.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/world.h"

/* Take over what world_number_hosts has counted. */
static void count_hosts(struct world *world)
{
    world->hosts = world->members[world->size];
    world->local_size = world->members[world->peers[world->rank].host_index];
}

static void reorder_peers(struct world *world, const int32_t *order)
{
    const size_t size = (size_t)world->size;
    struct peer *peers = calloc(size, sizeof *peers);
    if (peers == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "numbering the ranks");
    }
    for (size_t i = 0; i < size; i++) {
        peers[i] = world->peers[order[i]];
    }
    memcpy(world->peers, peers, size * sizeof *peers);
    free(peers);
    world_number_hosts(world);
}

int world_renumber(struct world *world, const char *map, struct tan_error *e)
{
    enum { FAILED, DONE, ENTRIES }; /* entries after the order */
    const size_t size = (size_t)world->size;
    const bool first = world->rank == 0;
    int32_t *order = first || !machine_simulated ? calloc(size + ENTRIES, sizeof *order) : NULL;
    if (order == NULL && (first || !machine_simulated)) {
        mpi_failed(MPI_ERR_NO_MEM, "numbering the ranks");
    }
    if (first) {
        order[size + FAILED] = tan_rank_map_order(map, world->peers, world->size, order, e);
    }
    order = machine_broadcast(order, (size + ENTRIES) * sizeof *order);
    const bool failed = order[size + FAILED] != 0;
    if (!failed) {
        int node = 0;
        for (int i = 0; i < world->size; i++) {
            node = order[i] == world->rank ? i : node;
        }
        MPI_TRY(MPI_Comm_split(MPI_COMM_WORLD, 0, node, &world->comm));
        world->rank = node;
        world->map = map;
        if (!order[size + DONE]) { /* ranks in shared memory have a single table */
            order[size + DONE] = 1;
            reorder_peers(world, order);
        }
        count_hosts(world);
    }
    machine_release(order);
    return failed ? -1 : 0;
}

struct world *world_create(bool always_bound, const char *map, struct tan_error *e)
{
    struct world *world = calloc(1, sizeof *world);
    MPI_TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (world == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "allocating the job's description");
    }
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &world->rank));
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &world->size));
    world->comm = MPI_COMM_WORLD;
    world->awake = -1;
    machine_meet(world);
    count_hosts(world);
    if ((map != NULL && world_renumber(world, map, e) < 0) ||
        machine_settle(world, always_bound, e) < 0) {
        machine_leave(world);
        free(world);
        return NULL;
    }
    return world;
}

void world_destroy(struct world *world)
{
    if (world->comm != MPI_COMM_WORLD) {
        MPI_TRY(MPI_Comm_free(&world->comm));
    }
    machine_leave(world);
    free(world);
}
