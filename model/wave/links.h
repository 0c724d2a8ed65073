/* links.h - links of known latency, of which messages are real
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_LINKS_H
#define MODEL_WAVE_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "topo/tree.h"

/* Messages and their overheads are real, but each is due only when the latency of its link has
 * passed, and its receiver makes no call to MPI before. Latencies keep processes of a host apart
 * that need a core: with n leaves below a node, n_i below its child i and s_i below the children
 * before,
 *   down(i) = L + s_i slot    up(i) = L + (n - s_i - n_i) slot
 * so that leaves take turns, a slot each, and the answers to one parent are due together. Ways down
 * and up have the same sum for all leaves of a depth: 2 L a level, and a slot for each other leaf
 * of the tree.
 * One way, leaves do not answer but wait for an agreed instant, and then for their turn: the way up
 * from each leaf is as much shorter than the longest one, so that without overheads all packets are
 * at the root at once. */
struct links {
    double L, slot; /* seconds; L 0: no latency is added */
    double period;  /* seconds from the beginning of a wave to that of the next; 0: to be chosen */
    bool one_way;   /* the ways down and up are apart */
};

static inline bool links_on(const struct links *links)
{
    return links->L > 0;
}

/* A wave is late when a process noticed a message so much later than it was due, in seconds. */
#define LINKS_LATE 2e-6

/* Read "L=TIME,slot=TIME,period=TIME", or else the tan-links/1 file of that path. Slot and period
 * may be left out and are 0 then. */
int tan_links_read(struct links *links, const char *text, struct tan_error *e);

/* Latencies of the link from `node`, not the root, to its parent; `leaves` as from
 * tan_tree_leaf_counts. */
struct link_latency {
    double down, up;
};
struct link_latency tan_links_latency(const struct links *links, const struct tan_tree *tree,
                                      const int32_t *leaves, int32_t node);

/* What the links between `node` and the root take together. */
struct link_latency tan_links_ways(const struct links *links, const struct tan_tree *tree,
                                   const int32_t *leaves, int32_t node);
/* The longest ways of all nodes; NaN when memory is short. */
struct link_latency tan_links_longest(const struct links *links, const struct tan_tree *tree);

/* Half a round trip over each node's link to its parent, or 0 one way, where the longest ways come
 * to what the recursion says: tree size entries, for struct tan_sites. malloc'd; NULL when memory
 * is short. */
double *tan_links_latencies(const struct links *links, const struct tan_tree *tree);
/* What a wave of processes that take no time lasts, half a round trip, or half the sum of the
 * longest ways; 0 without links, NaN when memory is short. */
double tan_links_known(const struct links *links, const struct tan_tree *tree);

/* The least time between two instants at which a process of the tree has to act: its message is
 * due, or a wave begins. Processes on one core that act within LINKS_APART of each other take it
 * from each other. INFINITY without links, NaN when memory is short. */
double tan_links_apart(const struct links *links, const struct tan_tree *tree);
#define LINKS_APART 200e-6
/* Choose what is 0: the shortest slot of whole 0.1 ms, up to 100 ms, that keeps the processes of
 * each of `n` trees LINKS_APART; and the shortest period of whole 10 ms in which a wave of each of
 * them fits, with a tenth of the period to spare. NULL entries are skipped. -1 where there is no
 * such slot, or a given period is too short. */
int tan_links_choose(struct links *links, struct tan_tree *const *trees, int n,
                     struct tan_error *e);

#endif
