/* op_text.h - operations and times of a simulation as people read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_OP_TEXT_H
#define SIM_SCHEDULE_OP_TEXT_H

#include <stdint.h>

#include "sim/schedule/schedule.h"

enum { TAN_OP_TEXT = 128 };
/* An operation as GOAL has it, "send 8b to 3 tag 1"; calculations in nanoseconds. Returns
 * `buffer`. */
const char *tan_op_text(const struct tan_schedule *s, uint32_t op, char buffer[TAN_OP_TEXT]);

/* A unit of time: "ns", "us", "ms" or "s". */
struct tan_time_unit {
    const char *name;
    uint64_t ps;
    int decimals; /* that show whole nanoseconds, or of "ns" picoseconds */
};
/* The biggest of which `ps` picoseconds are at least one; "ns" when none is. */
const struct tan_time_unit *tan_time_unit(uint64_t ps);

#endif
