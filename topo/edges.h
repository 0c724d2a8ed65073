/* edges.h - trees read as named nodes, and as children of nodes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_EDGES_H
#define TAN_TOPO_EDGES_H

#include "topo/names.h"
#include "topo/tree.h"

/* A place in a file. */
struct tan_place {
    int line, column; /* 1-based; columns count bytes; column 0: only the line is known */
};

struct tan_edge_node;

/* What has been read so far. All zero but `source`, which names the file in errors. */
struct tan_edges {
    const char *source;
    struct tan_names *names;
    struct tan_edge_node *nodes; /* one for each name */
    int32_t *sequence;           /* nodes with a parent, in the order of the file */
    int32_t children;            /* entries of sequence */
};

/* The number of the node of this name, from 0 in the order in which they are mentioned; -1 on
 * failure. O(1). */
int32_t tan_edges_node(struct tan_edges *edges, const char *name, struct tan_place place,
                       struct tan_error *e);
/* -1: none so far. */
int32_t tan_edges_parent(const struct tan_edges *edges, int32_t node);
/* `child` is listed below `parent` at this place: once, and under one parent. O(1). */
int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child, struct tan_place place,
                    struct tan_error *e);
/* The tree of all nodes, children in the order of the file: at least two, one root, no cycle.
 * `names`: one for each node, such as those of edges->names; NULL: the tree has none. O(nodes). */
struct tan_tree *tan_edges_tree(const struct tan_edges *edges, const char *const *names,
                                struct tan_error *e);
void tan_edges_clear(struct tan_edges *edges);

#endif
