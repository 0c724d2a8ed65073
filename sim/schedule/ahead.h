/* ahead.h - blocks of operations that a thread reads before they are asked for
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_AHEAD_H
#define SIM_SCHEDULE_AHEAD_H

#include "base/error.h"
#include "sim/schedule/feed.h"

/* A thread that keeps the next block of each rank ready. */
struct tan_ahead;

/* From now on the source is called by the thread only, for one rank at a time, in the order in
 * which the blocks before were taken. The source is borrowed. */
struct tan_ahead *tan_ahead_start(const struct tan_feed *source, struct tan_error *e);
/* The same blocks, for a simulation. */
const struct tan_feed *tan_ahead_feed(const struct tan_ahead *a);
/* End the thread; NULL is allowed. */
void tan_ahead_stop(struct tan_ahead *a);

#endif
