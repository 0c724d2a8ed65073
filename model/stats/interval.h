/* interval.h - an interval of values
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_INTERVAL_H
#define MODEL_STATS_INTERVAL_H

#include <math.h>

struct tan_interval {
    double low, high; /* low > high: not known */
};
#define TAN_INTERVAL_UNKNOWN ((struct tan_interval){.low = INFINITY, .high = -INFINITY})

#endif
