/* heal.h - a tree after the failure of a process
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_TOPO_HEAL_H
#define TAN_TOPO_HEAL_H

#include "topo/tree.h"

TAN_BEGIN_DECLS

/* Instead of a parent: the node has failed, or has no leaf of the original tree at or below it. */
#define TAN_HEAL_OUT (-2)

/* The tree that is left of `tree` when node `failed`, 0 for none, has failed: its parent adopts its
 * children, as in MRNet. `parents`: an entry for each node, -1 for the root, or TAN_HEAL_OUT; the
 * numbers of parents are smaller than those of their children. O(size). */
void tan_heal(const struct tan_tree *tree, int32_t failed, int32_t *parents);

/* Hops from each node of a healed tree to the farthest node below it (0: no children, or out).
 * `heights`: size entries. O(size). */
void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights);

TAN_END_DECLS

#endif
