/* place.h - which host each node of a tree is on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_PLACE_H
#define TAN_TOPO_PLACE_H

#include <stdbool.h>
#include <stdio.h>

#include "topo/tree.h"

/* Hosts with room for as many processes of a tree each. */
struct tan_room {
    int32_t hosts, per_host;
    const bool *internal; /* of each host: whether it is for internal processes; NULL: not said */
    const int32_t *rack;  /* of each host, 0 to racks - 1 in rising order; NULL: not known */
    int32_t racks;        /* 0: not known */
};

/* A way to place the nodes of a tree. */
struct tan_place {
    const char *name; /* "leaves", "own", ... */
    const char *help;
    /* Set host[], of as many entries as the tree has nodes. 1; 0 when the tree does not fit in this
     * way; -1 when memory is short. O(nodes + hosts * per_host). */
    int (*place)(const struct tan_tree *tree, const struct tan_room *room, int32_t *host);
};
/* A row with name NULL ends the table. */
extern const struct tan_place tan_places[];
void tan_place_help(FILE *to);

/* Number of hosts that have a node of `size`. -1 when memory is short. */
int32_t tan_place_hosts(const int32_t *host, int32_t size, int32_t hosts);

#endif
