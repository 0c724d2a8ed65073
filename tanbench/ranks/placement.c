/* placement.c - cores that the ranks of the running job share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/placement.h"

#include <stdlib.h>
#include <string.h>

#include "tanbench/host/cores.h"
#include "tanbench/ranks/world.h"

/* The pool of `rank`'s share of its host's cores. */
static int share_of(const struct world *world, int rank, int ranks, uint32_t *cores)
{
    const struct peer *peer = &world->peers[rank];

    if (!world_spreads(world, rank)) {
        int units = cores_listed(peer->mask);
        *cores = (uint32_t)(units > 0 && units < peer->cores ? units : peer->cores);
        return 0;
    }
    *cores = 1;
    if (world->binding == BIND_ONE) {
        return peer->cores - 1;
    }
    return (int)((int64_t)peer->local * peer->cores / world_shares(world, rank, ranks));
}

/* A placement and its arrays, each of `n` entries at most, in one block. */
struct block {
    struct tan_placement placement;
    uint32_t numbers[];
};

struct tan_placement *placement_create(const void *of, int ranks, struct tan_error *e)
{
    const struct world *world = of;
    const size_t n = (size_t)ranks;
    struct block *block = calloc(1, sizeof *block + 3 * n * sizeof *block->numbers);
    int *first = calloc(2 * n, sizeof *first); /* the first rank of each pool */

    if (!block || !first) {
        tan_fail_nomem(e);
        free(block);
        free(first);
        return NULL;
    }
    struct tan_placement *placement = &block->placement;
    uint32_t *host_of = block->numbers;
    uint32_t *pool_of = host_of + n;
    uint32_t *cores = pool_of + n;
    int *share = first + n; /* of each rank */
    for (int i = 0; i < ranks; i++) {
        const struct peer *peer = &world->peers[i];
        uint32_t available;
        uint32_t pool = 0;
        host_of[i] = (uint32_t)peer->host_index;
        share[i] = share_of(world, i, ranks, &available);
        while (pool < placement->pools &&
               (host_of[first[pool]] != host_of[i] || share[first[pool]] != share[i] ||
                strcmp(world->peers[first[pool]].mask, peer->mask) != 0)) {
            pool++;
        }
        if (pool == placement->pools) {
            first[placement->pools] = i;
            cores[placement->pools++] = available;
        }
        pool_of[i] = pool;
    }
    placement->host_of = host_of;
    placement->pool_of = pool_of;
    placement->cores = cores;
    free(first);
    return placement;
}

bool placement_share_cores(const struct world *world, int a, int b)
{
    return world->peers[a].host_index == world->peers[b].host_index &&
           strcmp(world_binding(world, a), world_binding(world, b)) == 0;
}

int placement_partner(const struct world *world)
{
    int partner = 1;

    for (int i = world->size - 1; i > 0; i--) {
        if (world->peers[i].host_index != world->peers[0].host_index) {
            return i;
        }
        partner = placement_share_cores(world, 0, i) ? partner : i;
    }
    return partner;
}
