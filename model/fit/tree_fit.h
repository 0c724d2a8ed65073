/* tree_fit.h - parameters with intervals, from measured waves of any trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_TREE_FIT_H
#define TAN_MODEL_FIT_TREE_FIT_H

#include "model/fit/fit.h"
#include "model/fit/path_fit.h"
#include "topo/tree.h"

/* What a wave pays along a path from the root to a leaf through levels of x children:
 *   TAN_TREE_HOP    levels: L + 2a each
 *   TAN_TREE_CHILD  sum of x - 1: b each
 *   TAN_TREE_BYTE   sum of x, times the bytes of a message beyond the least measured: 1 / B each
 *   TAN_TREE_WAVE   1: C
 *   TAN_TREE_GROWTH sum of x^2 - 1: c each
 * and in a fence, in which the data of all go up and come back to all:
 *   TAN_TREE_DATA   half, if there are data at all: what a daemon does with them once
 *   TAN_TREE_LOCAL  half of all bytes: the same for each of them
 *   TAN_TREE_GATHER half of the bytes that the path's parents receive on the way up: for each
 * and of processes that handle one message at a time, where others handle several:
 *   TAN_TREE_SERIAL in place of TAN_TREE_CHILD */
enum tan_tree_term {
    TAN_TREE_HOP,
    TAN_TREE_CHILD,
    TAN_TREE_BYTE,
    TAN_TREE_WAVE,
    TAN_TREE_GROWTH,
    TAN_TREE_DATA,
    TAN_TREE_LOCAL,
    TAN_TREE_GATHER,
    TAN_TREE_SERIAL,
    TAN_TREE_TERMS
};

/* The paths of a tree of which one is the longest, whatever the parameters: no other has as much of
 * everything. `n` rows of TAN_TREE_TERMS, with `bytes` more than the least message. */
struct tan_tree_paths {
    double *row; /* owned */
    size_t n;
    int64_t max_fanout, height, leaves; /* of the tree */
};
int tan_tree_paths_find(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
                        struct tan_error *e);
/* The same of half a fence of `bytes` in all. On each level of x children every one of them
 * receives all bytes, for 1 / B each, and their parent those of its subtree, on a way of its own.
 */
int tan_tree_paths_fence(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
                         struct tan_error *e);
/* The same of a chain of this height, or an N-to-1 tree, without building it. */
int tan_tree_paths_of(enum tan_experiment experiment, int64_t size, double bytes,
                      struct tan_tree_paths *out, struct tan_error *e);
/* Turn the children of paths into those of processes that handle one message at a time. */
void tan_tree_paths_serial(struct tan_tree_paths *paths);
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
    double L;      /* seconds, from elsewhere; NaN: unknown, and then 0 and half of it in a */
    int64_t bytes; /* of the least message */
    int bootstrap;
    uint64_t seed;
};

/* Fit by tan_path_fit. `fit` is by method joint, with doubts where a parameter is not identifiable
 * or the trees scatter; `paths` is the same by terms, of which TAN_TREE_BYTE is in no tan_fit. The
 * caller clears both. */
int tan_tree_fit(const struct tan_tree_fit_input *input, struct tan_fit *fit,
                 struct tan_path_fit *paths, struct tan_error *e);

/* The number of messages handled at a time, TAN_TREE_SERIAL / TAN_TREE_CHILD, and its 95 %
 * interval; NaN where one of them is not known. */
double tan_tree_at_once(const struct tan_path_fit *paths, struct tan_interval *ci95);

#endif
