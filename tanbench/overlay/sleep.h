/* sleep.h - interruptible sleep until an instant
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_SLEEP_H
#define TANBENCH_OVERLAY_SLEEP_H

#include <stdbool.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* Sleep until clock_seconds is `instant`. `punctual`: poll the clock at the end, for a rank whose
 * late wake-up would be measured. -1 on a request to stop. */
int sleep_until(const struct world *world, double instant, bool punctual, struct tan_error *e);

#endif
