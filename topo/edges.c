/* edges.c - trees from parents in any order, or from named nodes and their children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/edges.h"

#include <stdlib.h>

#include "base/array.h"

/* A node that is its own ancestor, given a `node` that has no root above it. O(size). */
static int32_t find_cycle(const int32_t *parents, int32_t size, int32_t node)
{
    /* A path without a root repeats a node within `size` steps, and ends in the cycle. */
    for (int32_t steps = 0; steps < size; steps++) {
        node = parents[node];
    }
    return node;
}

struct tan_tree *tan_assemble(const int32_t *parents, const int32_t *sequence, int32_t size,
                              const char *const *names, int32_t *cycle, struct tan_error *e)
{
    const size_t nodes = (size_t)size;
    struct tan_tree *tree = NULL;
    int32_t *first = malloc(nodes * sizeof *first);     /* first child, -1 for none */
    int32_t *next = malloc(nodes * sizeof *next);       /* next sibling, -1 for none */
    int32_t *order = malloc(nodes * sizeof *order);     /* old number by new number */
    int32_t *number = malloc(nodes * sizeof *number);   /* new number by old number */
    int32_t *renamed = malloc(nodes * sizeof *renamed); /* parents, renumbered */
    const char **labels = names == NULL ? NULL : malloc(nodes * sizeof *labels);
    *cycle = -1;
    if (first == NULL || next == NULL || order == NULL || number == NULL || renamed == NULL ||
        (names != NULL && labels == NULL)) {
        tan_fail_nomem(e);
        goto done;
    }
    int32_t used = 0;
    for (int32_t i = 0; i < size; i++) {
        first[i] = -1;
        number[i] = -1;
        if (parents[i] < 0) {
            order[used] = i;
            number[i] = used++;
        }
    }
    /* backwards, since each node becomes the first of its siblings */
    for (int32_t i = size - 2; i >= 0; i--) {
        const int32_t node = sequence[i];
        next[node] = first[parents[node]];
        first[parents[node]] = node;
    }
    for (int32_t i = 0; i < used; i++) {
        for (int32_t child = first[order[i]]; child >= 0; child = next[child]) {
            order[used] = child;
            number[child] = used++;
        }
    }
    if (used < size) {
        int32_t lost = 0;
        while (number[lost] >= 0) {
            lost++;
        }
        *cycle = find_cycle(parents, size, lost);
        goto done;
    }
    for (int32_t i = 0; i < size; i++) {
        renamed[i] = i == 0 ? -1 : number[parents[order[i]]];
        if (names != NULL) {
            labels[i] = names[order[i]];
        }
    }
    tree = tan_tree_create(renamed, size, labels, e);

done:
    free(first);
    free(next);
    free(order);
    free(number);
    free(renamed);
    free(labels);
    return tree;
}

struct tan_edge_node {
    int32_t parent;      /* -1 while unknown */
    const char *mention; /* first occurrence */
    const char *child;   /* where its parent lists it */
};

int32_t tan_edges_node(struct tan_edges *edges, const char *name, const char *at,
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
        edges->nodes[node] = (struct tan_edge_node){.parent = -1, .mention = at};
    }
    return node >= 0 ? node : tan_error_locate_in(e, edges->source, edges->text, at);
}

int tan_edges_child(struct tan_edges *edges, int32_t parent, int32_t child, const char *at,
                    struct tan_error *e)
{
    const char *const *names = tan_names_list(edges->names);
    struct tan_edge_node *node = &edges->nodes[child];
    if (child == parent) {
        return tan_fail_in(e, edges->source, edges->text, at, "%s is listed as its own child",
                           names[child]);
    }
    if (node->parent == parent) {
        return tan_fail_in(e, edges->source, edges->text, at,
                           "%s is listed twice as a child of %s, first on line %d", names[child],
                           names[parent], tan_line_of(edges->text, node->child));
    }
    if (node->parent >= 0) {
        return tan_fail_in(e, edges->source, edges->text, at,
                           "%s has two parents: %s here on line %d and %s on line %d", names[child],
                           names[parent], tan_line_of(edges->text, at), names[node->parent],
                           tan_line_of(edges->text, node->child));
    }
    if (TAN_ONE_MORE(edges->sequence, edges->children) < 0) {
        return tan_fail_nomem(e);
    }
    node->parent = parent;
    node->child = at;
    edges->sequence[edges->children++] = child;
    return 0;
}

/* Report the place that closes the cycle through `node`, which is the last one in the file. */
static void fail_cycle(const struct tan_edges *edges, int32_t node, struct tan_error *e)
{
    const struct tan_edge_node *nodes = edges->nodes;
    int32_t closing = node;
    for (int32_t i = nodes[node].parent; i != node; i = nodes[i].parent) {
        closing = nodes[i].child > nodes[closing].child ? i : closing;
    }
    const char *const *names = tan_names_list(edges->names);
    tan_fail_in(e, edges->source, edges->text, nodes[closing].child,
                "%s under %s closes a cycle: it is its own ancestor", names[closing],
                names[nodes[closing].parent]);
}

/* Require at least two nodes and exactly one root. */
static int check_root(const struct tan_edges *edges, struct tan_error *e)
{
    const char *const *names = tan_names_list(edges->names);
    const int32_t size = tan_names_count(edges->names);
    int32_t root = -1;
    if (size < 2) {
        return tan_fail_in(e, edges->source, edges->text, edges->nodes[0].mention,
                           "a tree needs at least two nodes, and there is only %s", names[0]);
    }
    for (int32_t i = 0; i < size; i++) {
        if (edges->nodes[i].parent >= 0) {
            continue;
        }
        if (root >= 0) {
            return tan_fail_in(e, edges->source, edges->text, edges->nodes[i].mention,
                               "%s is a second root: neither it nor %s (line %d) has a parent",
                               names[i], names[root],
                               tan_line_of(edges->text, edges->nodes[root].mention));
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
    struct tan_tree *tree = tan_assemble(parents, edges->sequence, size, names, &cycle, e);
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
