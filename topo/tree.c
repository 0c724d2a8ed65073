/* tree.c - trees: parent vector, children in compressed rows, names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tan_tree {
    int32_t size, leaves, height, max_fanout, max_below;
    int32_t *parent;
    int32_t *first; /* size + 1 entries: children of a node are child[first[node]...] */
    int32_t *child; /* size - 1 entries */
    char **name;    /* NULL, or size entries that point into `text` */
    char *text;
};

static int check_parents(const int32_t *parents, int32_t size, struct tan_error *e)
{
    if (size < 2) {
        return tan_fail(e, "a tree needs at least two nodes");
    }
    if (size > TAN_TREE_MAX_NODES) {
        return tan_fail(e, "a tree has at most %" PRId32 " nodes", TAN_TREE_MAX_NODES);
    }
    if (parents[0] != -1) {
        return tan_fail(e, "node 0 must be the root, with parent -1");
    }
    for (int32_t i = 1; i < size; i++) {
        if (parents[i] < 0 || parents[i] >= i) {
            return tan_fail(
                e, "the parent of node %" PRId32 " must be from 0 to %" PRId32 ", not %" PRId32, i,
                i - 1, parents[i]);
        }
    }
    return 0;
}

/* Most leaves below a child of the root, and so below any node but the root. `fanout`: of every
 * node; `below`: size - 1 entries for the leaves below nodes 1, 2, ... */
static int32_t most_below(const struct tan_tree *t, const int32_t *fanout, int32_t *below)
{
    int32_t most = 0;
    for (int32_t i = 1; i < t->size; i++) {
        below[i - 1] = fanout[i] == 0;
    }
    for (int32_t i = t->size - 1; i > 0; i--) {
        const int32_t parent = t->parent[i];
        if (parent > 0) {
            below[parent - 1] += below[i - 1];
        } else if (below[i - 1] > most) {
            most = below[i - 1];
        }
    }
    return most;
}

static void index_children(struct tan_tree *t)
{
    /* Until the children are filled in, their array holds the depths of nodes 1, 2, ..., and then
     * the leaves below them. */
    int32_t *depth = t->child;
    for (int32_t i = 1; i < t->size; i++) {
        const int32_t parent = t->parent[i];
        depth[i - 1] = parent == 0 ? 1 : depth[parent - 1] + 1;
        t->height = depth[i - 1] > t->height ? depth[i - 1] : t->height;
        t->first[parent]++;
    }
    t->max_below = most_below(t, t->first, t->child);
    int32_t end = 0;
    for (int32_t i = 0; i < t->size; i++) {
        const int32_t fanout = t->first[i];
        t->leaves += fanout == 0;
        t->max_fanout = fanout > t->max_fanout ? fanout : t->max_fanout;
        end += fanout;
        t->first[i] = end;
    }
    t->first[t->size] = end;
    for (int32_t i = t->size - 1; i > 0; i--) {
        t->child[--t->first[t->parent[i]]] = i;
    }
}

static int copy_names(struct tan_tree *t, const char *const *names, struct tan_error *e)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < t->size; i++) {
        bytes += strlen(names[i]) + 1;
    }
    t->name = malloc((size_t)t->size * sizeof *t->name);
    t->text = malloc(bytes);
    if (t->name == NULL || t->text == NULL) {
        return tan_fail_nomem(e);
    }
    char *at = t->text;
    for (int32_t i = 0; i < t->size; i++) {
        t->name[i] = at;
        at = stpcpy(at, names[i]) + 1;
    }
    return 0;
}

struct tan_tree *tan_tree_create(const int32_t *parents, int32_t size, const char *const *names,
                                 struct tan_error *e)
{
    if (check_parents(parents, size, e) < 0) {
        return NULL;
    }
    const size_t nodes = (size_t)size;
    struct tan_tree *t = calloc(1, sizeof *t);
    if (t == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    t->size = size;
    t->parent = malloc(nodes * sizeof *t->parent);
    t->first = calloc(nodes + 1, sizeof *t->first);
    t->child = malloc((nodes - 1) * sizeof *t->child);
    if (t->parent == NULL || t->first == NULL || t->child == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    memcpy(t->parent, parents, nodes * sizeof *parents);
    index_children(t);
    if (t->height > TAN_TREE_MAX_HEIGHT) {
        tan_fail(e, "a tree has at most %" PRId32 " levels below its root, not %" PRId32,
                 TAN_TREE_MAX_HEIGHT, t->height);
        goto fail;
    }
    if (names != NULL && copy_names(t, names, e) < 0) {
        goto fail;
    }
    return t;

fail:
    tan_tree_destroy(t);
    return NULL;
}

void tan_tree_destroy(struct tan_tree *tree)
{
    if (tree == NULL) {
        return;
    }
    free(tree->parent);
    free(tree->first);
    free(tree->child);
    free(tree->name);
    free(tree->text);
    free(tree);
}

int32_t tan_tree_size(const struct tan_tree *tree)
{
    return tree->size;
}

int32_t tan_tree_leaves(const struct tan_tree *tree)
{
    return tree->leaves;
}

int32_t tan_tree_height(const struct tan_tree *tree)
{
    return tree->height;
}

int32_t tan_tree_max_fanout(const struct tan_tree *tree)
{
    return tree->max_fanout;
}

int32_t tan_tree_max_below(const struct tan_tree *tree)
{
    return tree->max_below;
}

int32_t tan_tree_parent(const struct tan_tree *tree, int32_t node)
{
    return tree->parent[node];
}

int32_t tan_tree_fanout(const struct tan_tree *tree, int32_t node)
{
    return tree->first[node + 1] - tree->first[node];
}

const int32_t *tan_tree_children(const struct tan_tree *tree, int32_t node)
{
    return tree->child + tree->first[node];
}

void tan_tree_move_child(struct tan_tree *tree, int32_t node, int32_t from, int32_t to)
{
    int32_t *child = tree->child + tree->first[node];
    const int32_t moved = child[from];
    memmove(child + to + 1, child + to, (size_t)(from - to) * sizeof *child);
    child[to] = moved;
}

const char *tan_tree_name(const struct tan_tree *tree, int32_t node)
{
    return tree->name == NULL ? NULL : tree->name[node];
}

/* Add to the value of every node those of all nodes below it: children have larger numbers. */
static void add_upwards(const struct tan_tree *tree, int32_t *counts)
{
    for (int32_t i = tree->size - 1; i > 0; i--) {
        counts[tree->parent[i]] += counts[i];
    }
}

void tan_tree_leaf_counts(const struct tan_tree *tree, int32_t *counts)
{
    for (int32_t i = 0; i < tree->size; i++) {
        counts[i] = tan_tree_fanout(tree, i) == 0;
    }
    add_upwards(tree, counts);
}

void tan_tree_subtree_sizes(const struct tan_tree *tree, int32_t *counts)
{
    for (int32_t i = 0; i < tree->size; i++) {
        counts[i] = 1;
    }
    add_upwards(tree, counts);
}

void tan_tree_parents(const struct tan_tree *tree, int32_t *parents)
{
    memcpy(parents, tree->parent, (size_t)tree->size * sizeof *parents);
}

void tan_tree_depth_first(const struct tan_tree *tree, int32_t *places)
{
    /* A node's entry is the size of its subtree until its parent's place is known. */
    tan_tree_subtree_sizes(tree, places);
    places[0] = 0;
    for (int32_t i = 0; i < tree->size; i++) {
        const int32_t *children = tan_tree_children(tree, i);
        int32_t next = places[i] + 1;
        for (int32_t k = 0; k < tan_tree_fanout(tree, i); k++) {
            const int32_t size = places[children[k]];
            places[children[k]] = next;
            next += size;
        }
    }
}

struct tan_tree *tan_tree_by_depth(const struct tan_tree *tree, struct tan_error *e)
{
    const size_t size = (size_t)tree->size;
    int32_t *place = malloc(size * sizeof *place);
    int32_t *parents = malloc(size * sizeof *parents);
    const char **names = tree->name == NULL ? NULL : calloc(size, sizeof *names);
    struct tan_tree *numbered = NULL;
    if (place == NULL || parents == NULL || (names == NULL && tree->name != NULL)) {
        tan_fail_nomem(e);
    } else {
        tan_tree_depth_first(tree, place);
        for (int32_t i = 0; i < tree->size; i++) {
            parents[place[i]] = i == 0 ? -1 : place[tree->parent[i]];
            if (names != NULL) {
                names[place[i]] = tree->name[i];
            }
        }
        numbered = tan_tree_create(parents, tree->size, names, e);
    }
    free(names);
    free(parents);
    free(place);
    return numbered;
}

void tan_tree_depths(const struct tan_tree *tree, int32_t *depths)
{
    depths[0] = 0;
    for (int32_t i = 1; i < tree->size; i++) {
        depths[i] = depths[tree->parent[i]] + 1;
    }
}

void tan_heal(const struct tan_tree *tree, int32_t failed, int32_t *parents)
{
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        const int32_t parent = tan_tree_parent(tree, node);
        parents[node] = failed > 0 && parent == failed ? tan_tree_parent(tree, failed) : parent;
    }
    /* a leaf takes those with it that had no other one */
    for (int32_t node = failed; node > 0; node = tan_tree_parent(tree, node)) {
        parents[node] = TAN_HEAL_OUT;
        if (tan_tree_fanout(tree, failed) > 0 ||
            tan_tree_fanout(tree, tan_tree_parent(tree, node)) > 1) {
            break;
        }
    }
}

void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights)
{
    memset(heights, 0, (size_t)size * sizeof *heights);
    for (int32_t node = size - 1; node > 0; node--) {
        const int32_t parent = parents[node];
        if (parent >= 0 && heights[parent] <= heights[node]) {
            heights[parent] = heights[node] + 1;
        }
    }
}
