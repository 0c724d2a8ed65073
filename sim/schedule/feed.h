/* feed.h - schedules that are read while they are simulated
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_SCHEDULE_FEED_H
#define SIM_SCHEDULE_FEED_H

#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* The source of a schedule that is too long to be held: a simulation asks for a rank's next
 * operations when it is about to reach them. */
struct tan_feed {
    uint32_t ranks;
    /* Add the next operations of a rank (about 1000 at once are fast), by tan_schedule_add and the
     * other functions but those that begin and end a rank. Numbers count from the rank's first
     * operation on; no wildcards, no CPU or NIC but 0, and an operation waits only
     * for earlier ones. *gate: the number of one of the operations just added, such that all that
     * follow wait, directly or through others, for its start; TAN_OP_NONE where none is so, which
     * is possible only before the rank's first gate. Returns 1 when operations may follow, 0 when
     * none do, -1 after a failure. */
    int (*more)(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                struct tan_error *e);
    void *context;
};

TAN_END_DECLS

#endif
