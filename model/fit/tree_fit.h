/* tree_fit.h - parameters with intervals, from measured waves of any trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_TREE_FIT_H
#define TAN_MODEL_FIT_TREE_FIT_H

#include "model/fit/fit.h"
#include "model/fit/path_fit.h"
#include "topo/tree.h"

/* Terms of a wave's time along a path from the root to a leaf, through levels of x children, with
 * the coefficient of each:
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
/* The paths of a tree of at least two processes, for messages with `bytes` more than the least. */
int tan_tree_paths_find(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
                        struct tan_error *e);
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
void tan_tree_paths_clear(struct tan_tree_paths *paths);

/* Measured waves of a tree. */
struct tan_tree_waves {
    const char *name; /* of the tree, for messages; borrowed */
    struct tan_tree_paths paths;
    const double *seconds; /* `n` half round trips; borrowed */
    size_t n;
};

struct tan_tree_fit_input {
    const struct tan_tree_waves *waves;
    size_t n_waves;
    double L;      /* seconds; NaN: unknown, so L becomes 0, and `a` contains half of it */
    int64_t bytes; /* of the least message */
    int bootstrap; /* number of resamplings; 0: no intervals */
    uint64_t seed;
};

/* Fit by tan_path_fit. `paths` has the coefficients of all terms, `fit` those that are parameters
 * of method joint, with doubts if parameters are not identifiable or the trees scatter. The caller
 * clears both, even on failure. */
int tan_tree_fit(const struct tan_tree_fit_input *input, struct tan_fit *fit,
                 struct tan_path_fit *paths, struct tan_error *e);

#endif
