/* edges.h - trees given as named nodes and their children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_EDGES_H
#define TAN_TOPO_EDGES_H

#include "topo/names.h"
#include "topo/tree.h"

/* A position in a file. */
struct tan_position {
    int line, column; /* 1-based; columns count bytes; column 0 if only the line is known */
};

struct tan_edge_node;

/* What has been read so far. All zero initially except `source`, which names the file in errors. */
struct tan_edges {
    const char *source;
    struct tan_names *names;
    struct tan_edge_node *nodes; /* one per name */
    int32_t *sequence;           /* nodes with a parent, in file order */
    int32_t children;            /* entries of sequence */
};

/* The number of the node with this name, from 0 in order of first occurrence, added if new; -1 on
 * failure. O(1). */
int32_t tan_edges_node(struct tan_edges *edges, const char *name, struct tan_position place,
                       struct tan_error *e);
/* Record that `child` is listed below `parent` at this place; fails if it has a parent already.
 * O(1). */
int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child,
                    struct tan_position place, struct tan_error *e);
/* The tree of all nodes, at least one, with children in file order; fails unless there are two
 * nodes, one root and no cycle. `names`: one per node, such as edges->names; NULL for a tree
 * without names. O(nodes). */
struct tan_tree *tan_edges_tree(const struct tan_edges *edges, const char *const *names,
                                struct tan_error *e);
void tan_edges_clear(struct tan_edges *edges);

#endif
