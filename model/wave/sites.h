/* sites.h - nodes of a tree: their locations, tiers of links between them, children by kind
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_SITES_H
#define TAN_MODEL_WAVE_SITES_H

#include <stdint.h>

#include "base/error.h"
#include "model/machine/params.h"
#include "topo/rack_list.h"
#include "topo/tree.h"

/* Locations of a tree's nodes: at[t][node] is the group, such as the host, that the node belongs
 * to. The link between two nodes belongs to the first tier t in which they share a group, or else
 * to the last tier. at[t] NULL: every node is a group of its own. Borrowed. */
struct tan_sites {
    const int32_t *at[TAN_INNER_TIERS];
};
/* The sites of `n` nodes on the hosts host[0..n-1], which are in these racks. An inner tier whose
 * level of racks is unknown has the next lower one that is known. `spare`: TAN_INNER_TIERS * n
 * entries, which it borrows like host[]. */
struct tan_sites tan_sites_of(const struct tan_tiers *tiers, const struct tan_racks *racks,
                              const int32_t *host, int32_t n, int32_t *spare);
/* Tier of the link between two nodes; `sites` may be NULL. */
int tan_link_tier(const struct tan_tiers *tiers, const struct tan_sites *sites, int32_t a,
                  int32_t b);

/* Children of one kind. A node has up to TAN_CHILDREN_KINDS of them, and sends its requests to one
 * after the other. */
enum { TAN_CHILDREN_KINDS = 256 };
struct tan_children {
    int64_t count;
    int64_t leaves; /* below each child */
    double below;   /* the child's time, as defined by the function that takes it; seconds */
};

#endif
