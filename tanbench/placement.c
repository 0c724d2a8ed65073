/* placement.c - which ranks share which cores, as read from the running job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/placement.h"

#include <stdlib.h>
#include <string.h>

/* Processing units in a list such as "0-3,8". */
static uint32_t units_in(const char *list)
{
    uint32_t n = 0;

    for (const char *at = list; *at;) {
        char *end;
        unsigned long first = strtoul(at, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        if (end == at) {
            break;
        }
        n += last >= first ? (uint32_t)(last - first + 1) : 0;
        at = *end == ',' ? end + 1 : end;
    }
    return n > 0 ? n : 1;
}

struct tan_placement *placement_create(const struct world *world, struct tan_error *e)
{
    size_t n = (size_t)world->size;
    struct tan_placement *placement = calloc(1, sizeof *placement);
    uint32_t *host_of = calloc(n, sizeof *host_of);
    uint32_t *pool_of = calloc(n, sizeof *pool_of);
    uint32_t *cores = calloc(n, sizeof *cores);
    int *first = calloc(n, sizeof *first); /* the pool's first rank */

    if (!placement || !host_of || !pool_of || !cores || !first) {
        tan_fail_nomem(e);
        free(placement);
        free(host_of);
        free(pool_of);
        free(cores);
        free(first);
        return NULL;
    }
    for (int i = 0; i < world->size; i++) {
        const char *binding = world_binding(world, i);
        uint32_t pool = 0;
        host_of[i] = (uint32_t)world->peers[i].host_index;
        while (pool < placement->pools &&
               (host_of[first[pool]] != host_of[i] ||
                strcmp(world_binding(world, first[pool]), binding) != 0)) {
            pool++;
        }
        if (pool == placement->pools) {
            uint32_t usable = (uint32_t)world->peers[i].cores;
            uint32_t units = units_in(binding);
            first[placement->pools] = i;
            cores[placement->pools++] = usable > 0 && usable < units ? usable : units;
        }
        pool_of[i] = pool;
    }
    free(first);
    placement->host_of = host_of;
    placement->pool_of = pool_of;
    placement->cores = cores;
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
