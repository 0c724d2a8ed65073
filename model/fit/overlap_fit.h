/* overlap_fit.h - parameters of overlapping requests and answers, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_OVERLAP_FIT_H
#define MODEL_FIT_OVERLAP_FIT_H

#include "model/stats/interval.h"
#include "model/wave/overlap.h"

TAN_BEGIN_DECLS

/* Waves of one tree. */
struct tan_overlap_observation {
    const struct tan_tree *tree; /* borrowed */
    enum tan_overlap_way way;
    const double *waves; /* `n` times in seconds: half round trips, or of one way; borrowed */
    size_t n;
};

struct tan_overlap_fit_input {
    const struct tan_overlap_observation *observations;
    size_t n_observations;
    const double *given; /* TAN_OVERLAP_PARAMS seconds, NaN where to be fitted; NULL: all are */
    /* The same, as single messages have it: of solutions that fit the waves alike the nearest is
     * taken. NULL, NaN: nothing is known. */
    const double *near;
    int bootstrap; /* resamplings; 0: no intervals */
    uint64_t seed;
};

struct tan_overlap_fit {
    double value[TAN_OVERLAP_PARAMS]; /* seconds, >= 0 */
    /* False: other values fit the waves as well, within ci95. */
    bool identifiable[TAN_OVERLAP_PARAMS];
    struct tan_interval ci95[TAN_OVERLAP_PARAMS]; /* simultaneous; not known without bootstrap */
    /* The waves fit as well with o_s and o_r exchanged, roughly: chains and N-to-1 trees hardly
     * tell them apart. An uneven tree, such as a binomial one, does, and so do waves of one way. */
    bool exchangeable;
    double scatter; /* relative standard deviation of the medians about the curve that the scatter
                       within the cells does not explain */
    double *draws;  /* n_draws rows of TAN_OVERLAP_PARAMS seconds; owned: tan_overlap_fit_clear */
    int n_draws;
};

/* Nonlinear least squares (Levenberg and Marquardt) over the medians, each weighted by the inverse
 * of its variance, estimated as by tan_fit (fit.h). The wave time has kinks, so that there are
 * several minima: it is started at several points, and at random ones, and of the solutions that
 * fit within noise one whose g is hidden by the overheads is taken, and of these the best. What a
 * parameter is in all of them tells what the waves know of it: chains know L + o_s + o_r and C;
 * N-to-1 trees the larger overhead, or the gap, where answers come one by one, and o_s + o_r where
 * all requests are out before the first one. g is seen only where it is larger than an overhead.
 * Intervals are of repetitions with medians drawn again, each from a start of its own, so that what
 * the waves do not know varies over all that they allow. Fails without any wave, or where memory is
 * short. O((bootstrap + starts) * nodes of all trees).
 */
int tan_overlap_fit(const struct tan_overlap_fit_input *input, struct tan_overlap_fit *out,
                    struct tan_error *e);
/* The parameters as of a machine file, but for bytes, n and sizes; borrows the draws. */
struct tan_params tan_overlap_fit_params(const struct tan_overlap_fit *fit);
void tan_overlap_fit_clear(struct tan_overlap_fit *fit);

TAN_END_DECLS

#endif
