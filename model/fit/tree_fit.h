/* tree_fit.h - parameters with intervals, from measured waves of any trees, and from paths
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_TREE_FIT_H
#define TAN_MODEL_FIT_TREE_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fit/fit.h"
#include "model/stats/regression.h"
#include "model/stats/stats.h"
#include "topo/tree.h"

/* Times measured under one condition: a tree and a size. */
struct tan_path_cell {
    /* `n_paths` rows of as many terms as there are coefficients; borrowed. The time of a path is
     * the sum of its terms times the coefficients; the cell's time is that of its longest path. */
    const double *path;
    size_t n_paths;      /* at least 1 */
    const double *times; /* `n` of them, seconds > 0; borrowed */
    size_t n;
};

struct tan_path_input {
    const struct tan_path_cell *cells;
    size_t n_cells;
    size_t columns; /* number of coefficients, most important first; at most TAN_MAX_COLUMNS */
    int bootstrap;  /* resamplings for the intervals; 0: none */
    uint64_t seed;
};

struct tan_path_fit {
    size_t columns, n_cells;
    double value[TAN_MAX_COLUMNS];      /* >= 0 */
    bool identifiable[TAN_MAX_COLUMNS]; /* false: other values fit the cells equally well */
    /* 95 %, for all coefficients at once; unknown where not identifiable, or if the cells are too
     * few to show their scatter. */
    struct tan_interval ci95[TAN_MAX_COLUMNS];
    double *draws; /* n_draws x columns, all >= 0; owned */
    int n_draws;
    double *median;    /* of each cell; owned */
    double *predicted; /* by the fit; owned */
    bool *aside;    /* of each cell: whether it contradicts all others and was set aside; owned */
    double scatter; /* relative standard deviation of a cell's median about its prediction */
    size_t freedom; /* number of fitted cells in excess of that of fitted coefficients */
};

/* Fit by least squares of the relative errors of medians, all coefficients >= 0. For given paths
 * the times are linear in the coefficients; the longest paths are found again with each solution
 * no longer change. Times within a cell scatter by sigma, estimated from all cells without far
 * outliers, and medians by tau in addition (Paule and Mandel 1982), so that cells with many times
 * count only somewhat more. A cell is set aside if it lies so far off what all others predict that
 * this would happen by chance in one fit of a hundred. At most a tenth of the cells are set aside,
 * or one if there are fewer than 20.
 *
 * A coefficient is dropped (value 0) if the earlier ones explain all its terms, or if no degree of
 * freedom would remain. It and those that could take its place are not identifiable.
 *
 * Resamplings are drawn from the fit with its scatter, whose own uncertainty is included; paths
 * stay those of the solution. Fails for times that are not greater than 0, and if memory is short;
 * then there is nothing to clear. O(paths + bootstrap * cells). */
int tan_path_fit(const struct tan_path_input *input, struct tan_path_fit *out, struct tan_error *e);
void tan_path_fit_clear(struct tan_path_fit *fit);

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
/* The same for the time of one way down, as by tan_one_way_time: what a level costs beyond the
 * first child is shared by its further children, and a path has the shares of those served before
 * it. */
int tan_tree_paths_down(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
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
