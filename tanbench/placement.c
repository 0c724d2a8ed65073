/* placement.c - which ranks share which cores, as read from the running job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/placement.h"

#include <stdlib.h>
#include <string.h>

#include "tanbench/cores.h"

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
    return (int)((int64_t)peer->local * peer->cores / world_shares(world, rank, ranks));
}

struct tan_placement *placement_create(const struct world *world, int ranks, struct tan_error *e)
{
    size_t n = (size_t)ranks;
    struct tan_placement *placement = calloc(1, sizeof *placement);
    uint32_t *host_of = calloc(n, sizeof *host_of);
    uint32_t *pool_of = calloc(n, sizeof *pool_of);
    uint32_t *cores = calloc(n, sizeof *cores);
    int *first = calloc(n, sizeof *first); /* the pool's first rank */
    int *share = calloc(n, sizeof *share); /* of rank */

    if (!placement || !host_of || !pool_of || !cores || !first || !share) {
        tan_fail_nomem(e);
        free(placement);
        free(host_of);
        free(pool_of);
        free(cores);
        placement = NULL;
        goto done;
    }
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
done:
    free(first);
    free(share);
    return placement;
}

void placement_destroy(struct tan_placement *placement)
{
    if (placement) {
        free((void *)placement->host_of);
        free((void *)placement->pool_of);
        free((void *)placement->cores);
        free(placement);
    }
}
