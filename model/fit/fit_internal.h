/* fit_internal.h - cells, stages and solution of a fit (not public)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FIT_INTERNAL_H
#define TAN_MODEL_FIT_FIT_INTERNAL_H

#include <gsl/gsl_rng.h>

#include "model/fit/fit.h"
#include "model/stats/regression.h"

/* One observation, prepared for regression. */
struct tan_cell {
    enum tan_experiment experiment;
    double size;
    double row[TAN_PARAMS]; /* the wave time is row . (L, a, b, c, g, C) */
    double *all;            /* its waves in ascending order; owned */
    const double *sorted;   /* the `n` of them that are not outliers */
    size_t n;
    double median; /* their median, corrected for the small-sample bias of medians of skewed data */
    double centre; /* centre of resampled medians */
    double bias;   /* of the cell's median, by bootstrap */
    double variance; /* of the median, by bootstrap; 0 if all waves are equal or n is 1 */
    double stretch;  /* scales a resampled median's distance from `centre` to that variance */
};

/* A regression of some cells on some parameters; the other parameters are given, known from an
 * earlier stage, or 0. */
struct tan_stage {
    size_t n_free;
    enum tan_param free[TAN_MAX_COLUMNS];
    size_t n_cells;
    size_t *cell;   /* n_cells indices; owned */
    double *error;  /* n_cells: standard deviation of a median for tau = 1, that is T^p; owned */
    double *weight; /* n_cells; owned */
    struct tan_regression regression;
    /* Weighted sum of squared residuals, and its expectation from the waves' scatter alone and from
     * tau = 1: tau^2 = (seen - within) / unit. */
    double seen, within, unit;
    double tau;     /* scatter of the cells in excess of that of their waves, in units of `error` */
    size_t freedom; /* degrees of freedom of tau */
    bool lack;      /* tau is significant */
};

struct tan_solver {
    const struct tan_fit_input *input;
    bool knows_L;
    bool shares_L;  /* L is measured and the chains determine a, so both constrain L */
    double latency; /* L from the ping-pong or as given; 0 if unknown */
    struct tan_cell *cell;
    size_t n_cells;
    size_t outliers; /* number of waves excluded */
    struct tan_stage stage[2];
    size_t n_stages;
    double power;      /* p: waves scatter as T^p */
    double variance;   /* sigma^2: n times the variance of a median, in units of T^2p */
    double bias_error; /* standard error of n times a median's bias, in units of T^p */
    double L_error;    /* standard error of L, 0 if given or unknown */
    double L_freedom;
    double value[TAN_PARAMS]; /* the solution, all >= 0 */
    double free[TAN_PARAMS];  /* the unconstrained solution */
    gsl_rng *rng;
};

/* cells.c */

/* Group the observations into cells: sets solver->cell, n_cells and outliers. */
int tan_cells_create(struct tan_solver *s, struct tan_error *e);
/* Estimate solver->power and variance from the scatter within all cells, and correct the
 * medians. */
int tan_cells_pool(struct tan_solver *s, struct tan_error *e);
void tan_cells_clear(struct tan_solver *s);
/* The median of a resampling of the cell with replacement. O(1). */
double tan_cell_resample(const struct tan_cell *cell, gsl_rng *rng);
/* The wave time predicted for the cell. */
double tan_cell_predict(const struct tan_cell *cell, const double value[TAN_PARAMS]);

/* fit.c */

/* Copy c, g and C of `from` to `value` if the input has known parameters; else do nothing. */
void tan_solver_know(const struct tan_solver *s, const double *from, double value[TAN_PARAMS]);
/* Solve every stage for the wave times `y` (one per cell). value[TAN_L] must be set; if L was
 * measured it is lowered to at most a hop of the chains. The stages' free parameters are set, the
 * rest are unchanged. `bounded`: all >= 0. `space`: one double per cell. */
void tan_solver_solve(const struct tan_solver *s, const double *y, bool bounded, double *space,
                      double value[TAN_PARAMS]);
/* The largest size of an experiment; 0 if there is none. */
int64_t tan_solver_largest(const struct tan_solver *s, enum tan_experiment experiment);
/* The value of a parameter below which it is rounding error. */
double tan_solver_resolution(const struct tan_solver *s, enum tan_param p);

/* bootstrap.c */

/* Fill the intervals and draws of out->params. Parameters that no regression determined are drawn
 * from all values consistent with the data:
 *   L and a  any split of L + 2a;
 *   a and C  any split of the tallest chain's 2a h;
 *   b and c  any split of the growth up to the widest tree; without N-to-1 trees b is at most
 *            L + 2a (each child costs as much as a level of its own) and c at most b, with small
 *            values more likely. */
int tan_bootstrap(struct tan_solver *s, struct tan_fit *out, struct tan_error *e);

/* Store the median of a resampling of every cell in `y`, one per cell. */
void tan_cells_resample(const struct tan_solver *s, double *y);
/* Simultaneous percentile intervals (Mandel and Betensky 2008): a resampling is as extreme as its
 * most extreme parameter, by rank from either end; every parameter's interval excludes the ranks
 * that only the most extreme 5 % of the resamplings reach. It includes the `value` of the fit, and
 * at least `least` on either side of it; it ends at 0. `drawn`: n_params rows of `n` resamplings;
 * rows of wanted parameters are sorted and their intervals set. */
int tan_simultaneous_intervals(double *drawn, size_t n_params, size_t n, const bool *wanted,
                               const double *value, const double *least,
                               struct tan_interval *interval, struct tan_error *e);

/* doubts.c */

/* Fill out->doubts; all other members are set already. */
void tan_fit_doubt(const struct tan_solver *s, struct tan_fit *out);

#endif
