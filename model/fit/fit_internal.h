/* fit_internal.h - cells, stages and solution of a fit (not public)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_FIT_INTERNAL_H
#define MODEL_FIT_FIT_INTERNAL_H

#include <gsl/gsl_rng.h>

#include "model/fit/fit.h"
#include "model/stats/regression.h"

/* One observation, ready for regression. */
struct tan_cell {
    enum tan_experiment experiment;
    double size;
    double row[TAN_PARAMS]; /* the wave time is row . (L, a, b, c, g, C) */
    double *all;            /* its waves in rising order; owned */
    const double *sorted;   /* those that are no outliers, `n` of them */
    size_t n;
    double median;   /* of them, corrected for the bias that medians of few skewed samples have */
    double centre;   /* what medians of resampled waves scatter about */
    double bias;     /* of the cell's median, by bootstrap */
    double variance; /* of the median, by bootstrap; 0 when all waves are equal or n is 1 */
    double stretch;  /* of a resampled median's distance from `centre`, to have that variance */
};

/* A regression of some cells on some parameters, the others being known from an earlier one. */
struct tan_stage {
    size_t n_free;
    enum tan_param free[TAN_MAX_COLUMNS];
    size_t n_cells;
    size_t *cell;   /* n_cells indices; owned */
    double *error;  /* n_cells: standard deviation of a median for tau = 1, T^p; owned */
    double *weight; /* n_cells; owned */
    struct tan_regression regression;
    /* Weighted squares of the residuals, and what the waves' scatter and a tau of 1 would make of
     * them: tau^2 = (seen - within) / unit. */
    double seen, within, unit;
    double tau;     /* scatter of the cells beyond that of their waves, in units of `error` */
    size_t freedom; /* degrees of freedom of tau */
    bool lack;      /* tau is significant */
};

struct tan_solver {
    const struct tan_fit_input *input;
    bool knows_L;
    bool shares_L;  /* the chains have a say in L: it is measured, and they tell a */
    double latency; /* L as the ping-pong has it, or as it is given; 0: unknown */
    struct tan_cell *cell;
    size_t n_cells;
    size_t outliers; /* waves that were excluded */
    struct tan_stage stage[2];
    size_t n_stages;
    double power;      /* p: the scatter of waves grows with their time T as T^p */
    double variance;   /* sigma^2: n times the variance of a median of n waves, in units of T^2p */
    double bias_error; /* standard error of n times the bias of a median, in units of T^p */
    double L_error;    /* standard error of L, 0 when it is given or unknown */
    double L_freedom;
    double value[TAN_PARAMS]; /* the solution, all >= 0 */
    double free[TAN_PARAMS];  /* the solution without the bounds */
    gsl_rng *rng;
};

/* cells.c */

/* Sort the observations' waves into cells: sets solver->cell, n_cells and outliers. */
int tan_cells_create(struct tan_solver *s, struct tan_error *e);
/* Set solver->power and variance from the scatter within all cells, and correct the medians. */
int tan_cells_pool(struct tan_solver *s, struct tan_error *e);
void tan_cells_clear(struct tan_solver *s);
/* The median of as many samples drawn again (with replacement) from the cell. O(1). */
double tan_cell_resample(const struct tan_cell *cell, gsl_rng *rng);
/* The wave time that parameters predict for the cell. */
double tan_cell_predict(const struct tan_cell *cell, const double value[TAN_PARAMS]);

/* fit.c */

/* Where they are known: c, g and C of `from` into `value`. */
void tan_solver_know(const struct tan_solver *s, const double *from, double value[TAN_PARAMS]);
/* Solve every stage for the wave times `y` (one per cell). In and out: value[TAN_L] is known, and
 * lowered to what a hop of the chains takes where it is measured and longer than that; the stages'
 * free parameters are set, the rest stay. With `bounded`, all are >= 0. `space`: one double
 * per cell. */
void tan_solver_solve(const struct tan_solver *s, const double *y, bool bounded, double *space,
                      double value[TAN_PARAMS]);
/* The largest size of an experiment; 0: there is none. */
int64_t tan_solver_largest(const struct tan_solver *s, enum tan_experiment experiment);
/* Below this a parameter is rounding error of the arithmetic. */
double tan_solver_resolution(const struct tan_solver *s, enum tan_param p);

/* bootstrap.c */

/* Fill the intervals and draws of out->params. What no regression has set is drawn from all that
 * agrees with the data:
 *   L and a  any split of L + 2a;
 *   a and C  any split of the tallest chain's 2a h;
 *   b and c  any split of the growth up to the widest tree; without N-to-1 trees b goes up to L +
 * 2a (each child takes as long as a level of its own) and c up to b, small values more often. */
int tan_bootstrap(struct tan_solver *s, struct tan_fit *out, struct tan_error *e);

/* Medians of a repetition, one per cell: each of samples drawn again. */
void tan_cells_resample(const struct tan_solver *s, double *y);
/* Simultaneous percentile intervals (Mandel and Betensky 2008): a repetition is as extreme as its
 * most extreme parameter, by rank from either end; the interval of every parameter leaves out the
 * ranks that only the most extreme 5 % of the repetitions reach. `values`: n_params rows of `n`
 * repetitions; those of the wanted parameters are put in order, and their intervals set. */
int tan_simultaneous_intervals(double *values, size_t n_params, size_t n, const bool *wanted,
                               struct tan_interval *interval, struct tan_error *e);

/* growth.c */

/* Fill out->growth and best_growth. */
int tan_growth_compare(const struct tan_solver *s, struct tan_fit *out, struct tan_error *e);

/* doubts.c */

/* Fill out->doubts; everything else of it is set. */
void tan_fit_doubt(const struct tan_solver *s, struct tan_fit *out);

#endif
