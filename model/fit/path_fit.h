/* path_fit.h - coefficients of times that are the longest of several sums
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_PATH_FIT_H
#define TAN_MODEL_FIT_PATH_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/stats/regression.h"
#include "model/stats/stats.h"

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

#endif
