/* p2p_pack.h - additional cost of messages with non-contiguous data
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_P2P_PACK_H
#define TAN_MODEL_FIT_P2P_PACK_H

#include "model/fit/p2p_fit.h"

/* Timings of one message size, in seconds. */
struct tan_p2p_pack_samples {
    int64_t bytes;
    size_t n;                 /* of each, at least 1 */
    const double *contiguous; /* sent or received from contiguous data */
    const double *spread;     /* from non-contiguous data */
};

/* What non-contiguous data add to the time that a side is busy with a message. */
struct tan_p2p_pack {
    struct tan_p2p_estimate message; /* seconds, part of o */
    struct tan_p2p_estimate byte;    /* seconds per byte, part of O */
};

/* Fit message + byte * bytes, both coefficients >= 0, to the undisturbed times of `spread` minus
 * those of `contiguous`, with relative weights; at least 2 `sizes`, all different. Intervals come
 * from refits of resampled data; a value whose 95 % interval reaches 0 is not identifiable. -1 if
 * memory is short. */
int tan_p2p_pack_fit(const struct tan_p2p_pack_samples *samples, size_t sizes, uint64_t seed,
                     struct tan_p2p_pack *out, struct tan_error *e);

#endif
