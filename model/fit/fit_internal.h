/* fit_internal.h - cells, stages and resamplings of a fit (not public)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FIT_INTERNAL_H
#define TAN_MODEL_FIT_FIT_INTERNAL_H

#include <gsl/gsl_math.h>
#include <gsl/gsl_rng.h>

#include "model/fit/fit.h"
#include "model/stats/regression.h"

/* Coefficients of a linear fit: TAN's parameters (enum tan_param), or terms of paths. */
enum { TAN_COLUMNS = TAN_TREE_TERMS };

/* One observation, prepared for regression. */
struct tan_cell {
    const struct tan_observation *seen; /* borrowed */
    enum tan_experiment experiment;
    double size;
    double row[TAN_COLUMNS]; /* the wave time is row . coefficients */
    double *all;             /* its waves in ascending order; owned */
    const double *sorted;    /* the `n` of them that are not outliers */
    size_t n;
    double median; /* their median, corrected for the small-sample bias of medians of skewed data */
    double centre; /* centre of resampled medians */
    double bias;   /* of the cell's median, by bootstrap */
    double variance; /* of the median, by bootstrap; 0 if all waves are equal or n is 1. Of any
                        trees relative to the time, from the scatter of all cells */
    double stretch;  /* scales a resampled median's distance from `centre` to that variance */
};

/* A regression of some cells on some coefficients; the other ones are given, known from an earlier
 * stage, or 0. */
struct tan_stage {
    size_t n_free;
    size_t free[TAN_MAX_COLUMNS];
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
    double value[TAN_COLUMNS]; /* the solution, all >= 0 */
    double free[TAN_COLUMNS];  /* the unconstrained solution */
    gsl_rng *rng;
};

/* cells.c */

/* A cell for each observation that input->method is fitted to, with its waves, their median and the
 * experiment, and solver->outliers. Trees of fanout 1 count as chains in a fit of tan-overlap, all
 * others as N-to-1 trees, since the cells of an experiment are assumed to scatter alike. */
int tan_cells_read(struct tan_solver *s, struct tan_error *e);
/* The same, with equations and the uncertainty of the medians. */
int tan_cells_create(struct tan_solver *s, struct tan_error *e);
/* Estimate solver->power and variance from the scatter within all cells, and correct the medians.
 */
int tan_cells_pool(struct tan_solver *s, struct tan_error *e);
/* The median of a resampling of the cell with replacement. O(1). */
double tan_cell_resample(const struct tan_cell *cell, gsl_rng *rng);
/* The wave time predicted for the cell. */
double tan_cell_predict(const struct tan_cell *cell, const double value[TAN_COLUMNS]);
/* Whether the waves of any cell differ. */
bool tan_cells_scatter(const struct tan_solver *s);
/* Store the median of a resampling of every cell in `y`, one per cell. */
void tan_cells_resample(const struct tan_solver *s, double *y);

/* stages.c */

/* The stage in which a coefficient is free; NULL: none. */
const struct tan_stage *tan_stage_of(const struct tan_solver *s, size_t column);
/* Start a stage, with room for all cells. */
int tan_stage_add(struct tan_solver *s, struct tan_error *e);
/* Prepare the regression by the stage's weights and free coefficients. */
int tan_stage_factor(const struct tan_solver *s, struct tan_stage *stage, struct tan_error *e);
/* Solve every stage for the wave times `y` (one per cell). value[TAN_L] must be set; if L was
 * measured it is lowered to at most a hop of the chains. The stages' free coefficients are set, the
 * rest are unchanged. `bounded`: all >= 0. `space`: one double per cell. */
void tan_solver_solve(const struct tan_solver *s, const double *y, bool bounded, double *space,
                      double value[TAN_COLUMNS]);
/* A cell's deviation from what the other cells of its stage predict. */
struct tan_deletion {
    const struct tan_cell *cell; /* NULL: none */
    double t;                    /* externally studentised residual */
    double off;                  /* relative error of the prediction */
};
/* The cell of a stage that contradicts all others most at `value`: by more than `least_off`, and so
 * that by chance this would happen with a probability below `level`. */
struct tan_deletion tan_stage_outlier(const struct tan_solver *s, const struct tan_stage *stage,
                                      const double value[TAN_COLUMNS], double least_off,
                                      double level);
/* Release everything that the solver owns. */
void tan_solver_clear(struct tan_solver *s);

/* tree_fit.c, overlap_fit.c and fit.c: fits for tan_fit, whose `out` is initialised. */

int tan_fit_trees(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e);
int tan_fit_overlap(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e);
/* Copy c, g and C of `from` to `value` if the input has known parameters; else do nothing. */
void tan_solver_know(const struct tan_solver *s, const double *from, double value[TAN_PARAMS]);
/* The largest size of an experiment; 0 if there is none. */
int64_t tan_solver_largest(const struct tan_solver *s, enum tan_experiment experiment);
/* The value of a parameter below which it is rounding error. */
double tan_solver_resolution(const struct tan_solver *s, enum tan_param p);

/* bootstrap.c */

/* A fit that is repeated with what could have been measured. */
struct tan_repeat {
    void *fit;
    /* One repetition: the solution without bounds, by which intervals are found, and, unless NULL,
     * the parameters of one within them. */
    void (*draw)(void *fit, double *solution, double params[TAN_PARAMS]);
    size_t columns;      /* of a solution */
    const double *value; /* of the fit */
    bool wanted[TAN_COLUMNS];
    double least[TAN_COLUMNS]; /* part of the intervals to either side of the value */
};
/* Repeat it n times; set the params' draws, at most TAN_FIT_DRAWS, and the wanted intervals.
 *
 * Simultaneous percentile intervals (Mandel and Betensky 2008): a resampling is as extreme as its
 * most extreme coefficient, by rank from either end; every interval excludes the ranks that only
 * the most extreme 5 % of the resamplings reach. It includes the value of the fit, and at least
 * `least` on either side of it; it ends at 0. */
int tan_bootstrap(const struct tan_repeat *r, int n, struct tan_params *params,
                  struct tan_interval *interval, struct tan_error *e);
/* The same for a fit of chains and N-to-1 trees: fill the intervals and draws of out->params.
 * Parameters that no regression determined are drawn from all values consistent with the data:
 *   L and a  any split of L + 2a;
 *   a and C  any split of the tallest chain's 2a h;
 *   b and c  any split of the growth up to the widest tree; without N-to-1 trees b is at most
 *            L + 2a (each child costs as much as a level of its own) and c at most b, with small
 *            values more likely. */
int tan_bootstrap_experiments(struct tan_solver *s, struct tan_fit *out, struct tan_error *e);

/* fit_doubts.c */

/* Fill out->doubts; all other members are set already. */
void tan_fit_doubt(const struct tan_solver *s, struct tan_fit *out);

#endif
