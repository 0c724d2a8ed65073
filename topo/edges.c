/* edges.c - trees given as named nodes and their children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/edges.h"

#include <stdlib.h>

#include "base/array.h"
#include "topo/assemble.h"

struct tan_edge_node {
    int32_t parent;               /* -1 while unknown */
    struct tan_position mention;  /* first occurrence */
    struct tan_position as_child; /* where its parent lists it */
};

int32_t tan_edges_node(struct tan_edges *edges, const char *name, struct tan_position place,
                       struct tan_error *e)
{
    if (edges->names == NULL) {
        edges->names = tan_names_create(e);
        if (edges->names == NULL) {
            return -1;
        }
    }
    const int32_t known = tan_names_count(edges->names);
    const int32_t node = tan_names_add(edges->names, name, e);
    if (node == known) {
        if (TAN_ONE_MORE(edges->nodes, known) < 0) {
            return tan_fail_nomem(e);
        }
        edges->nodes[node] = (struct tan_edge_node){.parent = -1, .mention = place};
    }
    return node >= 0 ? node : tan_error_locate(e, edges->source, place.line, place.column);
}

int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child,
                    struct tan_position place, struct tan_error *e)
{
    const char *const *names = tan_names_list(edges->names);
    struct tan_edge_node *node = &edges->nodes[child];
    if (child == parent) {
        return tan_fail_at(e, edges->source, place.line, place.column,
                           "%s is listed as its own child", names[child]);
    }
    if (node->parent == parent) {
        return tan_fail_at(e, edges->source, place.line, place.column,
                           "%s is listed twice as a child of %s, first on line %d", names[child],
                           names[parent], node->as_child.line);
    }
    if (node->parent >= 0) {
        return tan_fail_at(e, edges->source, place.line, place.column,
                           "%s has two parents: %s here on line %d and %s on line %d", names[child],
                           names[parent], place.line, names[node->parent], node->as_child.line);
    }
    if (TAN_ONE_MORE(edges->sequence, edges->children) < 0) {
        return tan_fail_nomem(e);
    }
    node->parent = parent;
    node->as_child = place;
    edges->sequence[edges->children++] = child;
    return 0;
}

/* Report the place that closes the cycle through `node`, which is the last one in the file. */
static void fail_cycle(const struct tan_edges *edges, int32_t node, struct tan_error *e)
{
    int32_t closing = node;
    for (int32_t i = edges->nodes[node].parent; i != node; i = edges->nodes[i].parent) {
        const struct tan_position *place = &edges->nodes[i].as_child;
        const struct tan_position *latest = &edges->nodes[closing].as_child;
        if (place->line > latest->line ||
            (place->line == latest->line && place->column > latest->column)) {
            closing = i;
        }
    }
    const struct tan_edge_node *child = &edges->nodes[closing];
    const char *const *names = tan_names_list(edges->names);
    tan_fail_at(e, edges->source, child->as_child.line, child->as_child.column,
                "%s under %s closes a cycle: it is its own ancestor", names[closing],
                names[child->parent]);
}

/* Require at least two nodes and exactly one root. */
static int check_root(const struct tan_edges *edges, struct tan_error *e)
{
    const char *const *names = tan_names_list(edges->names);
    const int32_t size = tan_names_count(edges->names);
    if (size < 2) {
        return tan_fail_at(e, edges->source, edges->nodes[0].mention.line,
                           edges->nodes[0].mention.column,
                           "a tree needs at least two nodes, and there is only %s", names[0]);
    }
    int32_t root = -1;
    for (int32_t i = 0; i < size; i++) {
        if (edges->nodes[i].parent >= 0) {
            continue;
        }
        if (root >= 0) {
            return tan_fail_at(e, edges->source, edges->nodes[i].mention.line,
                               edges->nodes[i].mention.column,
                               "%s is a second root: neither it nor %s (line %d) has a parent",
                               names[i], names[root], edges->nodes[root].mention.line);
        }
        root = i;
    }
    return 0;
}

struct tan_tree *tan_edges_tree(const struct tan_edges *edges, const char *const *names,
                                struct tan_error *e)
{
    if (check_root(edges, e) < 0) {
        return NULL;
    }
    const int32_t size = tan_names_count(edges->names);
    int32_t *parents = malloc((size_t)size * sizeof *parents);
    if (parents == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    for (int32_t i = 0; i < size; i++) {
        parents[i] = edges->nodes[i].parent;
    }
    int32_t cycle;
    struct tan_tree *tree = NULL;
    if (edges->children == size) { /* no root */
        cycle = tan_find_cycle(parents, size, 0);
    } else {
        tree = tan_assemble(parents, edges->sequence, size, names, &cycle, e);
    }
    if (cycle >= 0) {
        fail_cycle(edges, cycle, e);
    }
    free(parents);
    return tree;
}

void tan_edges_clear(struct tan_edges *edges)
{
    tan_names_destroy(edges->names);
    free(edges->nodes);
    free(edges->sequence);
    *edges = (struct tan_edges){.source = edges->source};
}
