/* oversubscription.c - whether ranks outnumber cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/oversubscription.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tanbench/host/cores.h"
#include "tanbench/ranks/mpi_try.h"

/* Ranks that share cores: those of a host, or of several hosts under one kernel. */
struct pool {
    int ranks, cores;
    int threads;        /* hardware threads per core */
    const char **masks; /* masks of the ranks, without duplicates; `n` entries */
    int n;
};

/* Returns false if the pool has that mask already. */
static bool pool_add_mask(struct pool *pool, const char *mask)
{
    for (int i = pool->n - 1; i >= 0; i--) {
        if (strcmp(pool->masks[i], mask) == 0) {
            return false;
        }
    }
    if (TAN_ONE_MORE(pool->masks, pool->n) < 0) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    pool->masks[pool->n++] = mask;
    return true;
}

/* Count cores that several masks have in common only once. Frees the list of masks. */
static void pool_limit(struct pool *pool)
{
    bool whole = true; /* whether all masks fit into their fields */
    for (int i = 0; i < pool->n; i++) {
        whole &= strlen(pool->masks[i]) + 1 < sizeof((struct peer *)NULL)->mask;
    }
    const int units = whole ? cores_listed_together(pool->masks, pool->n) : 0;
    const int cores = (units + pool->threads - 1) / pool->threads;
    if (cores > 0 && cores < pool->cores) {
        pool->cores = cores;
    }
    free(pool->masks);
}

/* The first host under the same kernel as each host, which identifies that kernel. */
static void find_kernels(const struct world *world, int *kernel_of)
{
    const char **kernels = calloc((size_t)world->hosts, sizeof *kernels);
    if (kernels == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    for (int i = 0; i < world->size; i++) {
        kernels[world->peers[i].host_index] = world->peers[i].kernel;
    }
    for (int host = 0; host < world->hosts; host++) {
        int first = 0;
        while (first < host &&
               (*kernels[host] == '\0' || strcmp(kernels[first], kernels[host]) != 0)) {
            first++;
        }
        kernel_of[host] = first;
    }
    free(kernels);
}

/* Ranks with the same mask share its cores, and cores of different masks add up. So do those of
 * hosts, except that containers and namespaces may have the same cores. */
void world_count_cores(struct world *world)
{
    const struct peer *peers = world->peers;
    const size_t n = (size_t)world->hosts;
    struct pool *hosts = calloc(n, sizeof *hosts);
    struct pool *kernels = calloc(n, sizeof *kernels); /* indexed by their first host */
    int *kernel_of = calloc(n, sizeof *kernel_of);
    if (hosts == NULL || kernels == NULL || kernel_of == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    find_kernels(world, kernel_of);
    for (int i = 0; i < world->size; i++) {
        struct pool *host = &hosts[peers[i].host_index];
        struct pool *kernel = &kernels[kernel_of[peers[i].host_index]];
        host->threads = kernel->threads = peers[i].threads;
        host->ranks++;
        kernel->ranks++;
        host->cores += pool_add_mask(host, peers[i].mask) ? peers[i].cores : 0;
        pool_add_mask(kernel, peers[i].mask);
    }
    for (size_t h = 0; h < n; h++) {
        pool_limit(&hosts[h]);
        kernels[kernel_of[h]].cores += hosts[h].cores;
        world->oversubscribed |= hosts[h].ranks > hosts[h].cores;
    }
    const int here = peers[world->rank].host_index;
    world->usable_cores = hosts[here].cores;
    world->sharing = hosts[here].ranks;
    for (size_t h = 0; h < n; h++) {
        const int before = kernels[h].cores;
        if (kernel_of[h] != (int)h) {
            continue;
        }
        pool_limit(&kernels[h]);
        world->oversubscribed |= kernels[h].ranks > kernels[h].cores;
        if (kernel_of[here] == (int)h && kernels[h].cores < before) {
            world->usable_cores = kernels[h].cores;
            world->sharing = kernels[h].ranks;
        }
    }
    free(hosts);
    free(kernels);
    free(kernel_of);
}
