/* edges.h - trees given as named nodes and their children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_EDGES_H
#define TAN_TOPO_EDGES_H

#include "topo/names.h"
#include "topo/tree.h"

/* A position in a file. */
struct tan_place {
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

/* The number of the node with this name, from 0 in order of first occurrence; -1 on failure.
 * O(1). */
int32_t tan_edges_node(struct tan_edges *edges, const char *name, struct tan_place place,
                       struct tan_error *e);
/* -1 if none so far. */
int32_t tan_edges_parent(const struct tan_edges *edges, int32_t node);
/* Where a node occurs first. */
struct tan_place tan_edges_mention(const struct tan_edges *edges, int32_t node);
/* Record that `child` is listed below `parent` at this place; fails if it has a parent already.
 * O(1). */
int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child, struct tan_place place,
                    struct tan_error *e);
/* The tree of all nodes, with children in file order: at least two nodes, one root, no cycle.
 * `names`: one per node, such as edges->names; NULL for a tree without names. O(nodes). */
struct tan_tree *tan_edges_tree(const struct tan_edges *edges, const char *const *names,
                                struct tan_error *e);
void tan_edges_clear(struct tan_edges *edges);

#endif
