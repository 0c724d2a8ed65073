/* op_text.h - GOAL text of an operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_OP_TEXT_H
#define TAN_SIM_SCHEDULE_OP_TEXT_H

#include <stdint.h>

#include "sim/schedule/schedule.h"

enum { TAN_OP_TEXT = 128 };
/* An operation in GOAL syntax, "send 8b to 3 tag 1"; calculations in nanoseconds. Returns
 * `buffer`. */
const char *tan_op_text(const struct tan_schedule *s, uint32_t op, char buffer[TAN_OP_TEXT]);

#endif
