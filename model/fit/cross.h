/* cross.h - the model that answers use, chosen by trees that its fit left out
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_CROSS_H
#define TAN_MODEL_FIT_CROSS_H

#include "model/fit/fit.h"
#include "model/fit/tree_fit.h"
#include "topo/tree.h"

/* Use of a tree in the fits. */
enum tan_fit_role {
    TAN_FITS_ALL,     /* chains, N-to-1 trees */
    TAN_FITS_OVERLAP, /* tan-overlap only: an uneven tree */
    TAN_CHECKS,       /* none */
};

/* A measured tree, and what the fits to all trees predict; borrows everything. */
struct tan_seen_tree {
    const char *name;
    const struct tan_tree *tree;
    enum tan_fit_role role;
    /* For a fit of TAN to any trees; NULL for all trees: to chains and N-to-1 trees. */
    const struct tan_tree_waves *paths;
    const double *waves; /* `n` half round trips, seconds */
    size_t n;
    double median;                  /* of these, > 0 */
    double error[TAN_CHECK_MODELS]; /* predicted / measured - 1; NaN: not fitted */
};

/* Cross-validation: repeat the fits without a fifth of their trees, for each fifth in turn, and
 * predict these. The model chosen is the one with the smallest mean error on them and on the trees
 * that no fit uses, without chains, which all models predict alike; a tree of several even levels
 * counts twice, since it is what tan-design recommends. `input`: of the fit of TAN, without the
 * observations and the bootstrap. Sets all of
 * `out`, with a row for each tree that no fit uses, as far as there is room. Models without
 * parameters, by the first tree's error, are not fitted. */
int tan_cross_validate(const struct tan_seen_tree *trees, size_t n,
                       const struct tan_fit_input *input, struct tan_checks *out,
                       struct tan_error *e);

#endif
