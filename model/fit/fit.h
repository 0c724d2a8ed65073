/* fit.h - parameters with intervals, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FIT_H
#define TAN_MODEL_FIT_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/machine/machine.h"
#include "model/stats/stats.h"

/* Usual number of resamplings: their 2.5 % quantiles rest on 50 of them. */
#ifndef TAN_FIT_RESAMPLINGS /* fuzzed programs are built with fewer */
#define TAN_FIT_RESAMPLINGS 2000
#endif

/* The two experiments that a fit uses. */
enum tan_experiment { TAN_CHAIN, TAN_NTO1 };

/* Waves of one topology. */
struct tan_observation {
    enum tan_experiment experiment;
    int64_t size;        /* chain: height; N-to-1: fanout */
    const double *waves; /* `n` wave times in seconds (half round trips); borrowed */
    size_t n;
};

struct tan_fit_input {
    const struct tan_observation *observations; /* borrowed */
    size_t n_observations;                      /* at least 1 */
    /* Half round trips of the ping-pong, seconds; borrowed. None: L is given, or unknown. */
    const double *latency;
    size_t n_latency;
    double L; /* seconds, if n_latency is 0; NaN if unknown */
    enum tan_method method;
    /* Parameters whose c, g and C (with draws) are valid here too; NULL if there are none.
     * Borrowed. Fewer sizes are then needed: two heights and a fanout. */
    const struct tan_params *known;
    int64_t bytes; /* of a message: only passed on to out->params */
    int bootstrap; /* number of resamplings; 0: no intervals */
    uint64_t seed;
};

struct tan_fit {
    struct tan_params
        params; /* with intervals and at most TAN_FIT_DRAWS draws; owned: tan_fit_clear */
    /* False: the data do not identify the value; the notes say how it was chosen, and ci95, if
     * there are draws, is the range consistent with the data. Always false for g: no experiment
     * separates it from overhead, so it is 0 unless known. */
    bool identifiable[TAN_PARAMS];
    bool at_bound[TAN_PARAMS]; /* identifiable, and at its bound 0 */
    double r2_chain, r2_nto1;  /* of the medians; NaN if undefined */
    double scatter[2]; /* relative standard deviation of the medians about the curve in excess of
                          the scatter within cells, for chain and N-to-1 */
    struct tan_doubts doubts; /* reasons not to rely on the fit */
    char notes[8][200];       /* messages to the user: active bounds, confounding, ... */
    int n_notes;
    unsigned bound_notes; /* bits of the notes on parameters at their bounds */
    unsigned aside_notes; /* on trees that are set aside */
};
/* Append the fit's doubts, and as notes its messages to the user, except those on bounds, which the
 * parameters themselves show: what a machine file says about them. */
void tan_fit_tell(const struct tan_fit *fit, struct tan_doubts *doubts);
enum { TAN_FIT_DRAWS = 200 };

/* Fit by input->method. Both methods regress the medians of the observations.
 *   paper  [Groves 2015, section IV]: (T(h) - h L)/2 = C/2 + a h over the chain, then
 *          T(x) - L - a = b x + c x^2 over N-to-1, ordinary least squares;
 *   joint  T = C + h (L + 2a) over the chain and T = C + L + 2a + b (x-1) + c (x^2-1) over N-to-1
 *          as one problem, each median weighted by the inverse of its variance.
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
 * input->L, and when memory is short; then there is nothing to clear. O(bootstrap * cells). */
int tan_fit(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e);
void tan_fit_clear(struct tan_fit *fit);
/* Add a note, a sentence for users; truncated or dropped if there is no room. */
__attribute__((format(printf, 2, 3))) void tan_fit_note(struct tan_fit *fit, const char *format,
                                                        ...);

#endif
