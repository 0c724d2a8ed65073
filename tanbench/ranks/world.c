/* world.c - the ranks of this job, their hosts, cores and shared memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/world.h"

#include <stdlib.h>
#include <string.h>

#include "tanbench/host/cores.h"
#include "tanbench/ranks/mpi_try.h"

static int compare_domains(const void *a, const void *b, void *context)
{
    const struct peer *peers = context;
    const int32_t i = *(const int32_t *)a;
    const int32_t j = *(const int32_t *)b;
    const int order = strcmp(peers[i].domain, peers[j].domain);
    return order ? order : (i > j) - (i < j);
}

/* The leader of each rank's host: the lowest rank with the same domain. O(n log n). */
static void find_leaders(struct world *world)
{
    struct peer *peers = world->peers;
    const size_t n = (size_t)world->size;
    int32_t *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "describing the hosts");
    }
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (int32_t)i;
    }
    qsort_r(sorted, n, sizeof *sorted, compare_domains, peers);
    int32_t leader = sorted[0];
    for (size_t i = 0; i < n; i++) {
        leader = strcmp(peers[sorted[i]].domain, peers[leader].domain) != 0 ? sorted[i] : leader;
        peers[sorted[i]].leader = leader;
    }
    free(sorted);
}

void world_number_hosts(struct world *world)
{
    struct peer *peers = world->peers;
    int32_t *members = world->members;
    int hosts = 0;
    find_leaders(world);
    memset(members, 0, (size_t)world->size * sizeof *members);
    for (int i = 0; i < world->size; i++) {
        const int host = peers[i].leader == i ? hosts++ : peers[peers[i].leader].host_index;
        peers[i].host_index = world->host_of[i] = host;
        peers[i].local = members[host]++;
    }
    members[world->size] = hosts;
}

bool world_spreads(const struct world *world, int rank)
{
    const struct peer *peer = &world->peers[rank];
    return world->always_bound ||
           (peer->unbound && peer->cores > 1 &&
            tan_peers_on(world->peers, world->size, peer->host_index) > peer->cores);
}

/* Smaller sets of ranks stay together instead of being distributed over all cores, which keeps them
 * in a core's caches and avoids waking other cores. */
enum { MIN_RANKS_PER_CORE = 16 };

int world_shares(const struct world *world, int rank, int ranks)
{
    const struct peer *peer = &world->peers[rank];
    int n = tan_peers_on(world->peers, ranks, peer->host_index);
    int all = tan_peers_on(world->peers, world->size, peer->host_index);
    int held = MIN_RANKS_PER_CORE * peer->cores < all ? MIN_RANKS_PER_CORE * peer->cores : all;
    return n > held ? n : held;
}

int world_cores_used(const struct world *world, int ranks)
{
    const struct peer *me = &world->peers[world->rank];
    const int last = tan_peers_on(world->peers, ranks, me->host_index) - 1;
    return last < 0 ? 0
                    : (int)((long)last * me->cores / world_shares(world, world->rank, ranks)) + 1;
}

const char *world_binding(const struct world *world, int rank)
{
    const struct peer *peer = &world->peers[rank];
    return peer->host_index == world->peers[world->rank].host_index
               ? world->slots[peer->local].binding
               : peer->mask;
}

struct doorbell *world_doorbell(const struct world *world, int rank, enum channel channel)
{
    const struct peer *peer = &world->peers[rank];
    if (peer->host_index != world->peers[world->rank].host_index) {
        return NULL;
    }
    return &world->slots[peer->local].bell[channel];
}
