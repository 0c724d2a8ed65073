/* place.h - placement of a tree's nodes on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_PLACE_H
#define TAN_TOPO_PLACE_H

#include "topo/rack_list.h"
#include "topo/tree.h"

/* Hosts and the number of processes each can run. */
struct tan_room {
    int32_t hosts, per_host;
    struct tan_racks racks; /* of the hosts; none if unknown */
};

/* A placement strategy. */
struct tan_place {
    const char *name; /* "leaves", "own", ... */
    const char *help;
    /* Set host[], one entry per node. Returns 1, 0 if the tree does not fit, -1 when memory is
     * short. O(nodes + hosts * per_host). */
    int (*place)(const struct tan_tree *tree, const struct tan_room *room, int32_t *host);
};
/* Ended by a NULL name. The first one, "depth", fits wherever any does: every subtree is on
 * consecutive hosts, so that links between racks carry few messages. */
extern const struct tan_place tan_places[];

/* Number of distinct hosts in host[], which has `size` entries; -1 when memory is short. */
int32_t tan_place_hosts(const int32_t *host, int32_t size, int32_t hosts);

#endif
