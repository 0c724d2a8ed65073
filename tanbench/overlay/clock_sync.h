/* clock_sync.h - comparison of the clocks of a tree's ranks with the root's
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_CLOCK_SYNC_H
#define TAN_TANBENCH_OVERLAY_CLOCK_SYNC_H

#include "base/error.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/sampling/clock_model.h"

/* Rank 0: measurements of all clocks. Kept for the whole job, to improve estimates of drift. */
struct clocks;
struct clocks *clocks_create(const struct world *world, struct tan_error *e);
void clocks_destroy(struct clocks *c);

/* Rank 0: compare clocks with ranks 1 to `ranks` - 1, which are in clocks_follow, one after the
 * other, and send each its model: 36 exchanges each, or 240 over half a second for the first
 * comparison with another host, and more in case of interference. Sets *quality except `check`. -1
 * with an error on a request to stop, here and below. */
int clocks_lead(struct clocks *c, struct waiter *side, int ranks, struct clock_quality *quality,
                struct tan_error *e);
/* Rank 0, after the waves: measure the errors of the models; completes *quality. */
int clocks_check(struct clocks *c, struct waiter *side, int ranks, struct clock_quality *quality,
                 struct tan_error *e);
/* Every other rank: reply until the root ends the exchange; *mine gets the model. */
int clocks_follow(struct waiter *side, struct rank_clock *mine, struct tan_error *e);

#endif
