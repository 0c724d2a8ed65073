/* heal.c - trees after failures of processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/heal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A tree with its failed nodes. */
struct patient {
    const struct tan_tree *tree;
    const bool *dead;
    /* promote: the node in each node's place, -1: none; and the place of each node that is in one
     */
    const int32_t *holder, *place;
};

/* --- new parents of a living node that is not the root --- */

static int32_t nearest_ancestor(const struct patient *p, int32_t node)
{
    int32_t at = tan_tree_parent(p->tree, node);
    while (p->dead[at]) {
        at = tan_tree_parent(p->tree, at);
    }
    return at;
}

static int32_t parent_or_root(const struct patient *p, int32_t node)
{
    const int32_t parent = tan_tree_parent(p->tree, node);
    return p->dead[parent] ? 0 : parent;
}

static int32_t parent_or_none(const struct patient *p, int32_t node)
{
    const int32_t parent = tan_tree_parent(p->tree, node);
    return p->dead[parent] ? TAN_HEAL_OUT : parent;
}

static int32_t holder_above(const struct patient *p, int32_t node)
{
    return p->holder[tan_tree_parent(p->tree, p->place[node])];
}

static const struct {
    int32_t (*parent)(const struct patient *p, int32_t node);
} rules[TAN_HEAL_POLICIES] = {
    [TAN_HEAL_GRANDPARENT] = {nearest_ancestor},
    [TAN_HEAL_PROMOTE] = {holder_above},
    [TAN_HEAL_ROOT] = {parent_or_root},
    [TAN_HEAL_NONE] = {parent_or_none},
};

const struct tan_heal_policy_row tan_heal_policies[TAN_HEAL_POLICIES] = {
    [TAN_HEAL_GRANDPARENT] = {"grandparent",
                              "the nearest living ancestor adopts the failed process's children"},
    [TAN_HEAL_PROMOTE] =
        {"promote",
         "a child takes the failed process's place, one of its own that child's, and so on"},
    [TAN_HEAL_ROOT] = {"root", "the root adopts the failed process's children"},
    [TAN_HEAL_NONE] = {"none", "the failed process's children are lost with all below them"},
};

void tan_heal_help(FILE *to)
{
    for (int i = 0; i < TAN_HEAL_POLICIES; i++) {
        tan_text_item(to, tan_heal_policies[i].name, tan_heal_policies[i].help, 22);
    }
}

/* --- promotion --- */

/* The last child's place that somebody holds; -1: there is none. */
static int32_t last_held(const struct tan_tree *tree, const int32_t *holder, int32_t node)
{
    const int32_t *children = tan_tree_children(tree, node);
    int32_t i = tan_tree_fanout(tree, node) - 1;
    while (i >= 0 && holder[children[i]] < 0) {
        i--;
    }
    return i >= 0 ? children[i] : -1;
}

/* Fill the places of failed nodes from below, the lower ones first, so that an empty place has
 * nobody below it. `holder`, `place`: as in struct patient. */
static void fill_places(const struct tan_tree *tree, const bool *dead, int32_t *holder,
                        int32_t *place)
{
    for (int32_t node = tan_tree_size(tree) - 1; node >= 0; node--) {
        holder[node] = dead[node] ? -1 : node;
        for (int32_t at = node; at >= 0 && holder[at] < 0;) {
            const int32_t from = last_held(tree, holder, at);
            if (from >= 0) {
                holder[at] = holder[from];
                holder[from] = -1;
            }
            at = from;
        }
    }
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        if (holder[node] >= 0) {
            place[holder[node]] = node;
        }
    }
}

/* --- the healed tree --- */

/* Put out the nodes that do not reach the root, or have no living leaf of the original tree at or
 * below them. `wanted`: size entries. */
static void put_out(const struct tan_tree *tree, const bool *dead, int32_t *parents, bool *wanted)
{
    const int32_t size = tan_tree_size(tree);
    memset(wanted, 0, (size_t)size * sizeof *wanted);
    wanted[0] = true;
    for (int32_t leaf = 1; leaf < size; leaf++) {
        int32_t at = leaf;
        if (tan_tree_fanout(tree, leaf) > 0 || dead[leaf]) {
            continue;
        }
        while (at > 0) {
            at = parents[at];
        }
        if (at == 0) {
            for (at = leaf; !wanted[at]; at = parents[at]) {
                wanted[at] = true;
            }
        }
    }
    for (int32_t i = 1; i < size; i++) {
        if (!wanted[i]) {
            parents[i] = TAN_HEAL_OUT;
        }
    }
}

int tan_heal(const struct tan_tree *tree, const bool *dead, enum tan_heal_policy policy,
             int32_t *parents, struct tan_error *e)
{
    const int32_t size = tan_tree_size(tree);
    int32_t *holder = malloc((size_t)size * sizeof *holder);
    int32_t *place = malloc((size_t)size * sizeof *place);
    bool *wanted = malloc((size_t)size * sizeof *wanted);
    const bool failed = holder == NULL || place == NULL || wanted == NULL;
    if (!failed) {
        const struct patient p = {tree, dead, holder, place};
        fill_places(tree, dead, holder, place);
        for (int32_t node = 0; node < size; node++) {
            parents[node] = node == 0    ? -1
                            : dead[node] ? TAN_HEAL_OUT
                                         : rules[policy].parent(&p, node);
        }
        put_out(tree, dead, parents, wanted);
    }
    free(holder);
    free(place);
    free(wanted);
    return failed ? tan_fail_nomem(e) : 0;
}

void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights)
{
    memset(heights, 0, (size_t)size * sizeof *heights);
    for (int32_t node = 1; node < size; node++) {
        int32_t above = 1;
        for (int32_t at = parents[node]; at >= 0 && heights[at] < above; at = parents[at]) {
            heights[at] = above++;
        }
    }
}

/* The living nodes, breadth first, children by number; returns how many. `first`, `next`: size
 * entries for lists of children. */
static int32_t order_living(const int32_t *parents, int32_t size, int32_t *first, int32_t *next,
                            int32_t *order)
{
    int32_t used = 1;
    for (int32_t node = 0; node < size; node++) {
        first[node] = -1;
    }
    for (int32_t node = size - 1; node > 0; node--) { /* each becomes the first of its siblings */
        if (parents[node] != TAN_HEAL_OUT) {
            next[node] = first[parents[node]];
            first[parents[node]] = node;
        }
    }
    order[0] = 0;
    for (int32_t i = 0; i < used; i++) {
        for (int32_t child = first[order[i]]; child >= 0; child = next[child]) {
            order[used++] = child;
        }
    }
    return used;
}

struct tan_tree *tan_heal_tree(const int32_t *parents, int32_t size, int32_t *numbers,
                               struct tan_error *e)
{
    const size_t nodes = (size_t)size;
    struct tan_tree *tree = NULL;
    int32_t *first = malloc(nodes * sizeof *first);
    int32_t *next = malloc(nodes * sizeof *next);
    int32_t *order = malloc(nodes * sizeof *order);
    if (first == NULL || next == NULL || order == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    const int32_t n = order_living(parents, size, first, next, order);
    for (int32_t i = 0; i < n; i++) { /* the lists are no longer needed */
        first[order[i]] = i;
        next[i] = i == 0 ? -1 : first[parents[order[i]]];
    }
    if (n > 1) {
        tree = tan_tree_create(next, n, NULL, e);
    }
    if (tree != NULL && numbers != NULL) {
        memcpy(numbers, order, (size_t)n * sizeof *numbers);
    }
done:
    free(first);
    free(next);
    free(order);
    return tree;
}
