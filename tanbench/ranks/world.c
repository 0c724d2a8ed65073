/* world.c - the ranks of this job, their hosts, cores and shared memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/world.h"

#include <stdlib.h>
#include <string.h>

#include "tanbench/host/cores.h"
#include "tanbench/plan/rank_map.h"
#include "tanbench/ranks/machine.h"
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

/* Smaller sets of ranks stay together instead of being distributed over all cores, which keeps them
 * in a core's caches and avoids waking other cores. */
enum { MIN_RANKS_PER_CORE = 16 };

int world_shares(const struct world *world, int ranks)
{
    const struct peer *me = &world->peers[world->rank];
    const int n = tan_peers_on(world->peers, ranks, me->host_index);
    const int few = MIN_RANKS_PER_CORE * me->cores;
    const int held = few < world->local_size ? few : world->local_size;
    return n > held ? n : held;
}

int world_cores_used(const struct world *world, int ranks)
{
    const struct peer *me = &world->peers[world->rank];
    const int last = tan_peers_on(world->peers, ranks, me->host_index) - 1;
    return last < 0 ? 0 : (int)((long)last * me->cores / world_shares(world, ranks)) + 1;
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
