/* interval.h - interval of values
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_MODEL_STATS_INTERVAL_H
#define TAN_MODEL_STATS_INTERVAL_H

#include <math.h>
#include <stdbool.h>

#include "base/error.h"

TAN_BEGIN_DECLS

struct tan_interval {
    double low, high; /* low > high: unknown */
};
#define TAN_INTERVAL_UNKNOWN ((struct tan_interval){.low = INFINITY, .high = -INFINITY})

static inline bool tan_interval_known(struct tan_interval i)
{
    return i.low <= i.high;
}

TAN_END_DECLS

#endif
