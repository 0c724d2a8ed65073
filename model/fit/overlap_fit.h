/* overlap_fit.h - parameters of overlapping requests and answers, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_OVERLAP_FIT_H
#define TAN_MODEL_FIT_OVERLAP_FIT_H

#include "model/machine/doubt.h"
#include "model/stats/stats.h"
#include "model/wave/overlap.h"

/* Usual number of resamplings, each of which is a nonlinear fit. */
#ifndef TAN_OVERLAP_RESAMPLINGS /* fuzzed programs are built with fewer */
#define TAN_OVERLAP_RESAMPLINGS 100
#endif

/* Waves of one tree. */
struct tan_overlap_observation {
    const struct tan_tree *tree; /* borrowed */
    enum tan_overlap_way way;
    const double *waves; /* `n` times in seconds, half round trips or one-way; borrowed */
    size_t n;
};

/* How messages share the NIC: found by the fit, or given (struct tan_overlap). */
enum tan_overlap_nic { TAN_NIC_FOUND, TAN_NIC_ONE_BY_ONE, TAN_NIC_SHARED };

struct tan_overlap_fit_input {
    const struct tan_overlap_observation *observations;
    size_t n_observations;
    const double *given; /* TAN_OVERLAP_PARAMS seconds, NaN for those to fit; NULL: fit all */
    /* Values from single messages, in the same form: among solutions that fit equally well, the
     * nearest to these is preferred. NULL or NaN: unknown. */
    const double *near;
    enum tan_overlap_nic nic;
    int bootstrap; /* number of resamplings; 0: no intervals */
    uint64_t seed;
    bool quick; /* only the values, from the fixed starts: what is identifiable is not judged */
    bool few;   /* from every second of these */
};

struct tan_overlap_fit {
    double value[TAN_OVERLAP_PARAMS]; /* seconds, >= 0 */
    bool shared;                      /* the NIC, as in struct tan_overlap */
    /* False: other values within ci95 fit equally well. */
    bool identifiable[TAN_OVERLAP_PARAMS];
    struct tan_interval ci95[TAN_OVERLAP_PARAMS]; /* simultaneous; unknown without bootstrap */
    /* The waves fit about as well with o_s and o_r exchanged: chains and N-to-1 trees hardly
     * distinguish them. Uneven trees, such as binomial ones, and one-way waves do. */
    bool exchangeable;
    double scatter; /* relative standard deviation of the medians about the curve in excess of the
                       scatter within cells */
    double *draws;  /* n_draws rows of TAN_OVERLAP_PARAMS seconds; owned: tan_overlap_fit_clear */
    int n_draws;
    int64_t n, max_fanout, max_height; /* number of waves; the largest of all trees */
};

/* Nonlinear least squares (Levenberg-Marquardt) over the medians, weighted by inverse variances
 * estimated as in tan_fit (fit.h). Kinks in the wave time cause several minima, so it runs from
 * several fixed and random starts. Among the solutions that fit within noise it prefers those whose
 * g is hidden by the overheads, among those the nearest to `near`, else the best fit. Messages
 * leave the NIC one by one, unless a gap above the overheads that they share fits better than by
 * noise. Parameters on which all these solutions agree are identified. Chains determine L + o_s +
 * o_r and C; N-to-1 trees determine the larger overhead, or the gap, if answers arrive one by one,
 * and o_s + o_r if all requests leave before the first answer. g shows only if it exceeds an
 * overhead. Intervals come from resampled medians, each fitted from its own start, so that
 * parameters the waves do not determine cover their whole range. Fails without waves, for a tree of
 * one process, for times that are not above 0, and when memory is short. O((bootstrap + starts) *
 * nodes of all trees). */
int tan_overlap_fit(const struct tan_overlap_fit_input *input, struct tan_overlap_fit *out,
                    struct tan_error *e);
/* The parameters in the form of a machine file, for messages of `bytes`; borrows the draws. */
struct tan_params tan_overlap_fit_params(const struct tan_overlap_fit *fit, int64_t bytes);
/* Note, where o_s and o_r are exchangeable, what that would change. */
void tan_overlap_fit_tell(const struct tan_overlap_fit *fit, struct tan_doubts *doubts);
void tan_overlap_fit_clear(struct tan_overlap_fit *fit);

#endif
