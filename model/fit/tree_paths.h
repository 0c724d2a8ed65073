/* tree_paths.h - a wave's time in a tree as the longest of several sums
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_TREE_PATHS_H
#define TAN_MODEL_FIT_TREE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "topo/tree.h"

/* The two experiments of the published fit. */
enum tan_experiment { TAN_CHAIN, TAN_NTO1 };

/* Terms of a wave's time along a path from the root to a leaf, through levels of x children, with
 * the coefficient of each, most important first:
 *   TAN_TREE_HOP    number of levels: L + 2a
 *   TAN_TREE_CHILD  sum of x - 1: b
 *   TAN_TREE_BYTE   sum of x, times the bytes of a message beyond the least measured: 1 / B
 *   TAN_TREE_WAVE   1: C
 *   TAN_TREE_GROWTH sum of x^2 - 1: c
 * Where the data of all processes are gathered on the way up and come back to all of them,
 * TAN_TREE_BYTE counts the way down only, and there are also:
 *   TAN_TREE_DATA   1/2: the time of a process for data, whatever their size
 *   TAN_TREE_LOCAL  half of all bytes: the time of a process for a byte
 *   TAN_TREE_GATHER half of the bytes that the path's parents receive on the way up: the time of a
 *                   byte on that way */
enum tan_tree_term {
    TAN_TREE_HOP,
    TAN_TREE_CHILD,
    TAN_TREE_BYTE,
    TAN_TREE_WAVE,
    TAN_TREE_GROWTH,
    TAN_TREE_DATA,
    TAN_TREE_LOCAL,
    TAN_TREE_GATHER,
    TAN_TREE_TERMS
};

/* Paths of a tree, one of which is the longest whatever the parameters: left out are paths whose
 * terms are all no larger than those of another one. */
struct tan_tree_paths {
    double *row; /* `n` rows of TAN_TREE_TERMS; owned */
    size_t n;
    int64_t max_fanout, height; /* of the tree */
};
/* The paths of a tree of at least two processes, for messages with `bytes` more than the least.
 * With `down` for the time of one way down, as by tan_one_way_time_at: what a level costs beyond
 * the first child is shared by its further children, and a path has the shares of those served
 * before it. */
int tan_tree_paths_find(const struct tan_tree *tree, double bytes, bool down,
                        struct tan_tree_paths *out, struct tan_error *e);
/* The same for half the time of a wave that goes up over one tree and then down over another,
 * without overlap. Messages have `bytes` more than the least or, if `gathered`, the data of all
 * processes have that many: on each level down every child receives all of them, and their parent
 * has received those of its subtree. */
int tan_tree_paths_two(const struct tan_tree *up, const struct tan_tree *down, double bytes,
                       bool gathered, struct tan_tree_paths *out, struct tan_error *e);
/* The same as tan_tree_paths_find for a chain of height `size`, or an N-to-1 tree with that many
 * leaves, without building it. */
int tan_tree_paths_of(enum tan_experiment experiment, int64_t size, double bytes,
                      struct tan_tree_paths *out, struct tan_error *e);
/* The path that takes longest with these coefficients of its terms; and its time. */
const double *tan_tree_paths_longest(const struct tan_tree_paths *paths,
                                     const double value[TAN_TREE_TERMS]);
double tan_tree_paths_time(const struct tan_tree_paths *paths, const double value[TAN_TREE_TERMS]);
void tan_tree_paths_clear(struct tan_tree_paths *paths);

#endif
