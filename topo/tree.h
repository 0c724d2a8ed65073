/* tree.h - immutable rooted tree, parents before children
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_TREE_H
#define TAN_TOPO_TREE_H

#include <stdint.h>

#include "base/error.h"

/* Maximum number of nodes, and of hops from the root to a leaf: such trees are built and predicted
 * within seconds and 1 GiB. */
#define TAN_TREE_MAX_NODES  (INT32_C(1) << 24)
#define TAN_TREE_MAX_HEIGHT (INT32_C(1) << 20)

/* A rooted tree over nodes 0..size-1. Node 0 is the root and every node's parent has a smaller
 * number, so a descending loop visits children before their parent. A node without children is a
 * leaf; a tree has at least two nodes (a root is never a leaf). */
struct tan_tree;

/* `parents`: `size` entries, parents[0] = -1, 0 <= parents[i] < i. `names`: NULL, or `size` strings
 * such as "host:index". Both are copied. NULL with an error. O(size). */
struct tan_tree *tan_tree_create(const int32_t *parents, int32_t size, const char *const *names,
                                 struct tan_error *e);
void tan_tree_destroy(struct tan_tree *tree);

int32_t tan_tree_size(const struct tan_tree *tree); /* processes */
int32_t tan_tree_leaves(const struct tan_tree *tree);
int32_t tan_tree_height(const struct tan_tree *tree); /* hops from the farthest leaf to the root */
int32_t tan_tree_max_fanout(const struct tan_tree *tree);
/* Most leaves below a node other than the root; 1 if all others are leaves. */
int32_t tan_tree_max_below(const struct tan_tree *tree);

int32_t tan_tree_parent(const struct tan_tree *tree, int32_t node); /* -1 for the root */
int32_t tan_tree_fanout(const struct tan_tree *tree, int32_t node); /* 0 for a leaf */
/* `fanout` entries in the order in which the node sends to them: rising, but for
 * tan_tree_move_child. */
const int32_t *tan_tree_children(const struct tan_tree *tree, int32_t node);
/* Before the tree is used: list child number `from` of the node as number `to` <= `from`, and those
 * between after it. */
void tan_tree_move_child(struct tan_tree *tree, int32_t node, int32_t from, int32_t to);
const char *tan_tree_name(const struct tan_tree *tree, int32_t node); /* NULL when unnamed */

/* Number of leaves below every node (1 for a leaf itself); `counts`: size entries. O(size). */
void tan_tree_leaf_counts(const struct tan_tree *tree, int32_t *counts);
/* Number of nodes in the subtree of every node (1 for a leaf); `counts`: size entries. O(size). */
void tan_tree_subtree_sizes(const struct tan_tree *tree, int32_t *counts);
/* Parent of every node (-1 for the root); `parents`: size entries. O(size). */
void tan_tree_parents(const struct tan_tree *tree, int32_t *parents);
/* Place of every node in depth-first order, in which a node's subtree follows it, child by child (0
 * for the root); `places`: size entries. O(size). */
void tan_tree_depth_first(const struct tan_tree *tree, int32_t *places);
/* The same tree, names included, with its nodes numbered in depth-first order: subtrees are
 * consecutive. Destroyed by the caller; NULL with an error. O(size). */
struct tan_tree *tan_tree_by_depth(const struct tan_tree *tree, struct tan_error *e);
/* Depth of every node (0 for the root); `depths`: size entries. O(size). */
void tan_tree_depths(const struct tan_tree *tree, int32_t *depths);

/* Instead of a parent: the node has failed, or has no leaf of the original tree at or below it. */
#define TAN_HEAL_OUT (-2)

/* The tree that is left of `tree` when node `failed`, 0 for none, has failed: its parent adopts its
 * children, as in MRNet. `parents`: an entry for each node, -1 for the root, or TAN_HEAL_OUT; the
 * numbers of parents are smaller than those of their children. O(size). */
void tan_heal(const struct tan_tree *tree, int32_t failed, int32_t *parents);

/* Hops from each node of a healed tree to the farthest node below it (0: no children, or out).
 * `heights`: size entries. O(size). */
void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights);

#endif
