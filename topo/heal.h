/* heal.h - trees after failures of processes
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_TOPO_HEAL_H
#define TAN_TOPO_HEAL_H

#include <stdbool.h>
#include <stdio.h>

#include "topo/tree.h"

TAN_BEGIN_DECLS

/* What becomes of the children of a failed process. */
enum tan_heal_policy {
    TAN_HEAL_GRANDPARENT, /* their nearest living ancestor adopts them, as in MRNet */
    TAN_HEAL_PROMOTE,     /* the last one takes the failed process's place, the last of its own
                             children that one's, and so on down, as in PRRTE */
    TAN_HEAL_ROOT,        /* the root adopts them */
    TAN_HEAL_NONE,        /* they are lost with everything below them */
    TAN_HEAL_POLICIES
};

/* A row for each policy. */
struct tan_heal_policy_row {
    const char *name, *help;
};
extern const struct tan_heal_policy_row tan_heal_policies[TAN_HEAL_POLICIES];
void tan_heal_help(FILE *to);

/* Instead of a parent: the node has failed, cannot be reached, or has no leaf of the original tree
 * at or below it. */
#define TAN_HEAL_OUT (-2)

/* The tree that is left of `tree` when the nodes with dead[node] have failed; dead[0], the root,
 * must be false. `parents`: an entry for each node, -1 for the root, or TAN_HEAL_OUT; parents need
 * not have smaller numbers than their children. Leaves keep their data: a leaf may get children
 * (promote), and an internal node that has lost all of them is out. The result depends only on the
 * arguments, not on the order of the failures. -1 if memory is short. O(size x height). */
int tan_heal(const struct tan_tree *tree, const bool *dead, enum tan_heal_policy policy,
             int32_t *parents, struct tan_error *e);

/* Hops from each node of a healed tree to the farthest node below it (0: no children, or out).
 * `heights`: size entries. O(size x height). */
void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights);

/* The nodes of a healed tree that are not out, numbered anew, breadth first. `numbers`: size
 * entries for the original number of each node of the new tree, or NULL. NULL without an error if
 * only the root is left. O(size). */
struct tan_tree *tan_heal_tree(const int32_t *parents, int32_t size, int32_t *numbers,
                               struct tan_error *e);

TAN_END_DECLS

#endif
