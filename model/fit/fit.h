/* fit.h - parameters with intervals, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FIT_H
#define TAN_MODEL_FIT_FIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/fit/tree_paths.h"
#include "model/machine/machine.h"
#include "model/stats/stats.h"

/* Usual numbers of resamplings. The 2.5 % quantiles of 2000 rest on 50 of them; each one for
 * tan-overlap is a nonlinear fit. */
#ifndef TAN_FIT_RESAMPLINGS /* fuzzed programs are built with fewer */
#define TAN_FIT_RESAMPLINGS 2000
#endif
#ifndef TAN_OVERLAP_RESAMPLINGS
#define TAN_OVERLAP_RESAMPLINGS 100
#endif

/* Use of a tree in the fits. */
enum tan_fit_role {
    TAN_FITS_ALL,     /* chains, N-to-1 trees, or any trees where all are fitted */
    TAN_FITS_OVERLAP, /* tan-overlap only: an uneven tree */
    TAN_CHECKS,       /* none */
};

/* Waves of one tree; borrows everything. Fits of method paper and joint need experiment and size,
 * or, if any trees are fitted, paths; tan-overlap and cross-validation need the tree. */
struct tan_observation {
    enum tan_experiment experiment;
    int64_t size;        /* chain: height; N-to-1: fanout */
    const double *waves; /* `n` wave times in seconds (half round trips) */
    size_t n;
    enum tan_fit_role role;
    const char *name; /* for messages */
    const struct tan_tree *tree;
    struct tan_tree_paths paths;
    /* For cross-validation: the waves' median > 0, and of what the fits to all trees predict,
     * predicted / measured - 1, NaN for models that are not fitted. */
    double median, error[TAN_CHECK_MODELS];
};

struct tan_fit_input {
    const struct tan_observation *observations; /* borrowed; those whose role says so are fitted */
    size_t n_observations;
    enum tan_method method;
    bool any; /* method joint: fit the paths of any trees, not chains and N-to-1 trees */
    /* Half round trips of the ping-pong, seconds; borrowed. None: L is given, or unknown. */
    const double *latency;
    size_t n_latency;
    double L; /* seconds, if n_latency is 0; NaN if unknown */
    /* Parameters of the same method whose c, g and C (with draws; of tan-overlap c, C and the kind
     * of NIC) are valid here too; NULL if there are none. Borrowed. Fewer sizes are then needed:
     * two heights and a fanout. */
    const struct tan_params *known;
    int64_t bytes; /* of a message: only passed on to out->params */
    int bootstrap; /* number of resamplings; 0: no intervals */
    uint64_t seed;
    /* Of tan-overlap: only the values, from the fixed starts, without a judgement of what is
     * identifiable; of any trees, which take long and tell the minima apart, from every second. */
    bool quick;
};

/* The coefficients of a fit to the paths of trees. */
struct tan_terms {
    double value[TAN_TREE_TERMS];      /* >= 0 */
    bool identifiable[TAN_TREE_TERMS]; /* false: other values fit the trees equally well */
    /* 95 %, for all coefficients at once; unknown where not identifiable, or if the trees are too
     * few to show their scatter. */
    struct tan_interval ci95[TAN_TREE_TERMS];
};

/* A tree in such a fit, in the order of the fitted observations. */
struct tan_fitted {
    double median;    /* of its times, without outliers */
    double predicted; /* by the fit */
    bool aside;       /* it contradicts all others and was set aside */
};

struct tan_fit {
    struct tan_params
        params; /* with intervals and at most TAN_FIT_DRAWS draws; owned: tan_fit_clear */
    /* False: the data do not identify the value; the notes say how it was chosen, and ci95, if
     * there are draws, is the range consistent with the data. Always false for TAN's g: no
     * experiment separates it from overhead, so it is 0 unless known. */
    bool identifiable[TAN_PARAMS];
    bool at_bound[TAN_PARAMS]; /* identifiable, and at its bound 0 */
    double r2_chain, r2_nto1;  /* of the medians; NaN if undefined */
    /* Relative standard deviation of the medians about the curve in excess of the scatter within
     * cells, for chain and N-to-1; of tan-overlap the first for all; of any trees the first for
     * all, and not in excess of anything. */
    double scatter[2];
    /* tan-overlap: the waves fit about as well with o_s and o_r exchanged: chains and N-to-1 trees
     * hardly distinguish them. Uneven trees, such as binomial ones, do. */
    bool exchangeable;
    struct tan_terms terms;    /* of any trees, as are the next two */
    struct tan_fitted *fitted; /* owned */
    size_t n_fitted;
    struct tan_doubts doubts; /* reasons not to rely on the fit */
    struct tan_doubts notes;  /* messages to the user: active bounds, confounding, ... */
};
enum { TAN_FIT_DRAWS = 200, TAN_METHODS = TAN_METHOD_OVERLAP + 1 };

/* Fit by input->method; every method takes the medians of the observations.
 *   paper  [Groves 2015, section IV]: (T(h) - h L)/2 = C/2 + a h over the chain, then
 *          T(x) - L - a = b x + c x^2 over N-to-1, ordinary least squares;
 *   joint  T = C + h (L + 2a) over the chain and T = C + L + 2a + b (x-1) + c (x^2-1) over N-to-1
 *          as one problem, each median weighted by the inverse of its variance; of any trees the
 *          time of the longest path (tree_fit.c);
 *   overlap  the wave time of tan-overlap (overlap_fit.c).
 * Coefficients are >= 0 (constrained least squares). L is the median of the latency samples, but no
 * more than the time of a hop of the chains; if it is longer, L is that time and `a` is 0.
 *
 * Variances: the scatter within a cell of n waves is modelled as sigma T^p, with p and sigma
 * estimated from all cells, so a median has the variance T^2p (sigma^2/n + tau^2), where tau is the
 * scatter of the medians about the curve in excess of that (method of moments). p = 1 if too few
 * cells scatter by more than the clock resolution, or if their times differ too little.
 *
 * Intervals: `bootstrap` times, medians are resampled within each cell, tau is drawn from a scaled
 * inverse chi-square distribution (so that few cells give wide intervals), and L from its t
 * distribution. Intervals are the 95 % ranges of the unconstrained solutions, clipped at 0, which
 * keeps their coverage near a bound; they are at least 1 ppm wide. params.draws holds constrained
 * solutions.
 *
 * Fails without observations, for a size below 1, for times that are not above 0, for a negative
 * input->L, and when memory is short; then there is nothing to clear. O(bootstrap * cells); for
 * tan-overlap O((bootstrap + starts) * nodes of all trees). */
int tan_fit(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e);
void tan_fit_clear(struct tan_fit *fit);
/* Add a note, a sentence for users, to a struct tan_fit. */
#define TAN_FIT_NOTE(fit, kind, ...)                                                               \
    tan_doubts_add(&(fit)->notes, TAN_NOTE, kind, NAN, TAN_TOUCHES_ALL, __VA_ARGS__)
#define TAN_AT_BOUND "bound" /* the kind of notes on parameters at their bounds */
/* Append the fit's doubts, and its notes, except those on bounds, which the parameters show, and
 * what exchanged overheads would change: what a machine file says about them. */
void tan_fit_tell(const struct tan_fit *fit, struct tan_doubts *doubts);

struct tan_named_fit {
    const char *name; /* heading of its column */
    const struct tan_fit *fit;
};
/* Print the parameters of n > 0 fits, at most TAN_METHODS, side by side with their intervals, and
 * what TAN's mean. */
void tan_fits_print(const struct tan_named_fit *fits, int n, FILE *to);
/* What else there is to say of them. */
void tan_fits_print_notes(const struct tan_named_fit *fits, int n, FILE *to);

/* Cross-validation: repeat the fits without a fifth of their trees, for each fifth in turn, and
 * predict these. The model chosen is the one with the smallest mean error on them and on the trees
 * that no fit uses, without chains, which all models predict alike; a tree of several even levels
 * counts twice, since it is what tan-design recommends. `input`: of the fit of TAN to all, without
 * its bootstrap. Sets all of `out`, with a row for each tree that no fit uses, as far as there is
 * room. Models without parameters, by the first tree's error, are not fitted. */
int tan_cross_validate(const struct tan_fit_input *input, struct tan_checks *out,
                       struct tan_error *e);

#endif
