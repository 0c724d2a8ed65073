/* ahead.h - reading blocks of operations ahead in a thread
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_AHEAD_H
#define TAN_SIM_SCHEDULE_AHEAD_H

#include "base/error.h"
#include "sim/schedule/feed.h"

/* A thread that reads the next block of every rank in advance. */
struct tan_ahead;

/* From now on only the thread calls the source, for one rank at a time, in the order in which the
 * previous blocks were consumed. The source is borrowed. */
struct tan_ahead *tan_ahead_start(const struct tan_feed *source, struct tan_error *e);
/* A feed of the same blocks for a simulation, valid until tan_ahead_stop. */
const struct tan_feed *tan_ahead_feed(const struct tan_ahead *a);
/* Stop the thread; NULL is allowed. */
void tan_ahead_stop(struct tan_ahead *a);

#endif
