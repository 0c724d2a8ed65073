/* goal_op.h - parsing of a single GOAL operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_GOAL_OP_H
#define TAN_SIM_GOAL_GOAL_OP_H

#include "sim/goal/goal_scan.h"
#include "sim/schedule/schedule.h"

/* Skip send, recv or calc, even as a prefix of a longer word. Returns its enum tan_op_kind; 0 if
 * none of them is here. */
int tan_goal_take_kind(struct tan_scan *s);
/* Read an operation's operands, up to the end of its line or statement. -1 with an error that names
 * the place. */
int tan_goal_read_op(struct tan_scan *s, enum tan_op_kind kind, uint32_t ranks,
                     struct tan_op_spec *spec, struct tan_error *e);
/* Read blanks and a rank below `ranks`, or, if `any`, -1 as TAN_ANY_SOURCE; -1 with an error that
 * `what` is expected at this place. */
int tan_goal_read_rank(struct tan_scan *s, const char *what, uint32_t ranks, bool any,
                       uint32_t *rank, struct tan_error *e);

#endif
