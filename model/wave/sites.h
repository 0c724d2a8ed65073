/* sites.h - where the nodes of a tree are, and what their links are like
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_WAVE_SITES_H
#define MODEL_WAVE_SITES_H

#include "model/machine/params.h"
#include "topo/tree.h"

TAN_BEGIN_DECLS

/* Where the nodes of a tree are: at[t][node] is the number of the group, such as the host, that the
 * node belongs to. Two nodes are tiers.params[t] apart for the first t whose group they share, and
 * the last tier's when there is none. An entry NULL: all groups have one node. latency[node] is
 * that of the node's link to its parent in seconds, in place of the parameters' L; NULL: theirs.
 * Borrowed. */
struct tan_sites {
    const int32_t *at[TAN_INNER_TIERS];
    const double *latency;
};
/* The tier of the link between two nodes; `sites` may be NULL. */
int tan_link_tier(const struct tan_tiers *tiers, const struct tan_sites *sites, int32_t a,
                  int32_t b);

TAN_END_DECLS

#endif
