/* feed.h - schedules read on demand during a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_SIM_SCHEDULE_FEED_H
#define TAN_SIM_SCHEDULE_FEED_H

#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* The source of a schedule too long for memory: a simulation requests a rank's next operations just
 * before it reaches them. */
struct tan_feed {
    uint32_t ranks;
    /* Add the next operations of a rank (about 1000 at a time are efficient) with tan_schedule_add
     * and related functions, except those that begin and end a rank. Numbers count from the rank's
     * first operation; no wildcards, only CPU and NIC 0, and dependencies only on earlier
     * operations. *gate: the number of one of the operations just added on whose start all later
     * ones depend, directly or indirectly; TAN_OP_NONE if there is none, which is allowed only
     * before the rank's first gate. Returns 1 if operations may follow, 0 if not, -1 on failure. */
    int (*more)(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                struct tan_error *e);
    void *context;
};

TAN_END_DECLS

#endif
