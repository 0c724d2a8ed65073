/* rank_map.h - order of ranks: placement of trees' nodes on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_RANK_MAP_H
#define TAN_TANBENCH_PLAN_RANK_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct peer {
    char host[64];      /* short host name */
    char domain[96];    /* identical for ranks that can share memory */
    char kernel[40];    /* identical for ranks under one kernel, with one clock; "": unknown */
    int32_t leader;     /* the lowest rank on its host */
    int32_t host_index; /* hosts are numbered in the order of their leaders */
    int32_t local;      /* index among the ranks of its host */
    int32_t cores;      /* available cores, by affinity mask and cgroup quota */
    int32_t threads;    /* hardware threads per core */
    int32_t pid;
    char mask[64]; /* CPU list that the launcher bound it to, "0-1" */
    bool unbound;  /* the list covers the whole host */
};

/* How many of the first `ranks` ranks are on the host with index `host`. */
int32_t tan_peers_on(const struct peer *peers, int32_t ranks, int32_t host);

/* A map is one of these words, or a file (topo/hostfile.h) that names the host of each node, node
 * 0 first.
 *   block   host by host
 *   depth   the same, for trees that are numbered depth first
 *   cyclic  the first rank of each host, then the second of each, ...
 *   apart   the same, but the other ranks on the root's host come last
 * Hosts are in the order of their first ranks, and the ranks of a host in the launcher's order. */

/* Whether `map` is none of these words. */
bool tan_rank_map_is_file(const char *map);

/* Whether trees are to be numbered depth first (tan_plan_by_depth); `map` may be NULL. */
bool tan_rank_map_by_depth(const char *map);

/* Check `map` for that many ranks, as far as that is possible before their hosts are known. */
int tan_rank_map_check(const char *map, int ranks, struct tan_error *e);

/* The rank of each node: order[node], with `size` entries, is the launcher's number for it. `peers`
 * are in the launcher's order, with host, host_index and local. In every map node 0 is the
 * launcher's rank 0, which has the job's input and output. O(size log size). */
int tan_rank_map_order(const char *map, const struct peer *peers, int32_t size, int32_t *order,
                       struct tan_error *e);

#endif
