/* fit.h - parameters with intervals, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_FIT_FIT_H
#define MODEL_FIT_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/machine/machine.h"
#include "model/stats/stats.h"

TAN_BEGIN_DECLS

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
    const struct tan_observation *observations;
    size_t n_observations;
    const double
        *latency; /* half round trips of the ping-pong, seconds; NULL when L is given or unknown */
    size_t n_latency;
    double L; /* seconds; used when n_latency is 0; NaN: unknown */
    enum tan_method method;
    /* Parameters of which c, g and C hold here as well, with their draws; NULL: nothing is known.
     * Borrowed. Fewer sizes then tell the others: two heights and a fanout. */
    const struct tan_params *known;
    int64_t bytes;
    int bootstrap; /* resamplings, e.g. 1000; 0: no intervals */
    uint64_t seed;
};

/* One candidate for how overhead grows with fanout. Method paper fits T(x) - L - a by b x, b ln x
 * or b x + c x^2; method joint, whose level cost is that of the chain at x = 1, fits
 * T(x) - C - L - 2a by b (x-1), b ln x or b (x-1) + c (x^2-1). Coefficients are >= 0. */
struct tan_growth {
    const char *name;      /* "linear", "logarithmic", "quadratic" */
    double r2, aicc;       /* NaN when not identifiable */
    double coefficient[2]; /* seconds: b and c */
};
enum { TAN_GROWTHS = 3 };

struct tan_fit {
    struct tan_params params; /* with intervals and at most TAN_FIT_DRAWS draws, owned:
                                 tan_fit_clear */
    /* False: the data do not identify the value; it is as the notes say, and ci95, where draws were
     * asked for, is the range of those that agree with the data. Always false for g: no experiment
     * separates it from overhead, it is 0. */
    bool identifiable[TAN_PARAMS];
    bool at_bound[TAN_PARAMS]; /* the constraint >= 0 is active */
    double r2_chain, r2_nto1;  /* over the medians; NaN when not defined */
    double scatter[2];         /* relative standard deviation of the medians about the curve that
                                  the scatter within the cells does not explain, chain and N-to-1;
                                  0 when it explains all */
    struct tan_growth growth[TAN_GROWTHS];
    int best_growth;          /* index of the least AICc, -1 when not identifiable */
    struct tan_doubts doubts; /* reasons not to rely on it */
    char notes[8][200];       /* sentences for the user: active bounds, confounding, ... */
    int n_notes;
};
enum { TAN_FIT_DRAWS = 200 };

/* Fit as input->method says. Both regress the medians of the observations.
 *   paper  tan-model.txt section IV: (T(h) - h L)/2 = C/2 + a h over the chain, then
 *          T(x) - L - a = b x + c x^2 over N-to-1, ordinary least squares;
 *   joint  T = C + h (L + 2a) over the chain and T = C + L + 2a + b (x-1) + c (x^2-1) over N-to-1
 *          as one problem, each median weighted by the inverse of its variance.
 * Coefficients are >= 0 (the least-squares solution among those). L is the median of the latency
 * samples, but no more than a hop of the chains, L + 2a, takes: where that would leave less than 0
 * for a, L is the hop's and a is 0.
 *
 * Variances: the scatter of a cell of n waves is taken to be sigma T^p, p and sigma estimated
 * from all cells, so that a median has the variance T^2p (sigma^2/n + tau^2); tau is what the
 * medians scatter about the curve beyond that (method of moments). p = 1 when cells with more
 * scatter than clocks resolve are too few.
 *
 * Intervals: from `bootstrap` repetitions, each with medians of samples drawn again from every
 * cell, tau drawn again (scaled inverse chi-square, so that few cells give wide intervals), and L
 * from its t distribution. They are the 95 % ranges of the solutions without the bounds, cut at 0:
 * those cover whether or not a parameter is near its bound. Never narrower than 1 ppm. params.draws
 * holds solutions with the bounds.
 *
 * O(bootstrap * cells). */
int tan_fit(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e);
void tan_fit_clear(struct tan_fit *fit);
/* One more note, a sentence; left out where there is no room. */
__attribute__((format(printf, 2, 3))) void tan_fit_note(struct tan_fit *fit, const char *format,
                                                        ...);

TAN_END_DECLS

#endif
