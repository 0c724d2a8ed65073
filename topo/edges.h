/* edges.h - trees from parents in any order, or from named nodes and their children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_EDGES_H
#define TAN_TOPO_EDGES_H

#include "topo/names.h"
#include "topo/tree.h"

struct tan_edge_node;

/* What has been read so far. All zero initially except `text`, the file, and `source`, which names
 * it in errors. */
struct tan_edges {
    const char *source, *text;
    struct tan_names *names;
    struct tan_edge_node *nodes; /* one per name */
    int32_t *sequence;           /* nodes with a parent, in file order */
    int32_t children;            /* entries of sequence */
};

/* The number of the node with this name, which is `at` that place of the text, from 0 in order of
 * first occurrence, added if new; -1 on failure. O(1). */
int32_t tan_edges_node(struct tan_edges *edges, const char *name, const char *at,
                       struct tan_error *e);
/* Record that `child` is listed below `parent` at this place; fails if it has a parent already.
 * O(1). */
int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child, const char *at,
                    struct tan_error *e);
/* The tree of all nodes, at least one, with children in file order; fails unless there are two
 * nodes, one root and no cycle. `names`: one per node, such as edges->names; NULL for a tree
 * without names. O(nodes). */
struct tan_tree *tan_edges_tree(const struct tan_edges *edges, const char *const *names,
                                struct tan_error *e);
void tan_edges_clear(struct tan_edges *edges);

/* Number the nodes breadth first. `parents`: `size` >= 2 entries from -1 to size - 1, at most one
 * of them -1. `sequence`: the other nodes, siblings in their final order. `names`: NULL or
 * `size` strings. If some nodes cannot be reached from the root, returns NULL without an error and
 * sets *cycle to a node that is its own ancestor; otherwise *cycle is -1. O(size). */
struct tan_tree *tan_assemble(const int32_t *parents, const int32_t *sequence, int32_t size,
                              const char *const *names, int32_t *cycle, struct tan_error *e);

#endif
