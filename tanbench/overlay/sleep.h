/* sleep.h - sleeping until an instant, unless told to stop
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_SLEEP_H
#define TANBENCH_OVERLAY_SLEEP_H

#include <stdbool.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* Sleep until clock_seconds is `instant`. `punctual`: poll the clock through the last stretch, for
 * the one rank whose waking late would be measured. -1 when told to stop meanwhile. */
int sleep_until(const struct world *world, double instant, bool punctual, struct tan_error *e);

#endif
