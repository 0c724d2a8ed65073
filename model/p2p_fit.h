/* p2p_fit.h - from measured messages to sections with parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_P2P_FIT_H
#define TAN_MODEL_P2P_FIT_H

#include "model/p2p.h"

/* Repeated measurements of one size; seconds, also negative ones. */
struct tan_p2p_samples {
    int64_t bytes;
    size_t n;
    const double *sample[TAN_P2P_SERIES]; /* `n` each */
};

/* Make a p2p block of `n` sizes (rising bytes). A size's value is the median of its samples with
 * its 95 % interval; it is not identifiable, NaN, when the interval reaches 0. Sections begin where
 * straight lines through half(bytes) meet (segments.h), and, when `eager` >= 0, behind that size.
 * In each
 *     o_s + O_s k, o_r + O_r k, g + G (k-1)
 * are fitted to the sizes' values with relative weights, no coefficient below 0, and
 *     L = half - max(o_s + O_s k, g + G k) - o_r - O_r k
 * is the mean of what is left, 0 when overheads already explain all of it. Intervals come from
 * refitting resampled samples. O' of LogGPO is what a message beyond `eager` takes longer than
 * 3 L + o_s(1) + G (k-1), a quarter of it. The caller owns the result. */
struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n, int64_t eager,
                            uint64_t seed, struct tan_error *e);

#endif
