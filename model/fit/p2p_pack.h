/* p2p_pack.h - cost that gathering or scattering non-contiguous data adds to a message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_P2P_PACK_H
#define MODEL_FIT_P2P_PACK_H

#include "model/fit/p2p_fit.h"

/* Timings of one size, in seconds. */
struct tan_p2p_pack_samples {
    int64_t bytes;
    size_t n;                 /* 1 or more of each */
    const double *contiguous; /* sent or received from contiguous data */
    const double *spread;     /* from non-contiguous data */
};

/* Additions to o and to O. */
struct tan_p2p_pack {
    struct tan_p2p_estimate message; /* seconds */
    struct tan_p2p_estimate byte;    /* seconds per byte */
};

/* Fit message + byte k, neither below 0, to the excess of the undisturbed times of `spread` over
 * those of `contiguous`, with relative weights; `sizes` 2 or more, of different bytes. Intervals
 * come from refitting samples drawn again; a value whose 95 % interval reaches 0 is not
 * identifiable. */
int tan_p2p_pack_fit(const struct tan_p2p_pack_samples *samples, size_t sizes, uint64_t seed,
                     struct tan_p2p_pack *out, struct tan_error *e);

#endif
