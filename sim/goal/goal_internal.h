/* goal_internal.h - interface between the readers and writers of GOAL
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_GOAL_INTERNAL_H
#define TAN_SIM_GOAL_GOAL_INTERNAL_H

#include "sim/goal/goal.h"
#include "sim/goal/source.h"

/* Both read the whole source from its first byte. */
struct tan_schedule *tan_goal_read_text(struct tan_source *in,
                                        const struct tan_goal_options *options,
                                        struct tan_error *e);
struct tan_schedule *tan_goal_read_binary(struct tan_source *in, struct tan_error *e);

/* The first eight bytes of a binary schedule. */
enum {
    TAN_GOAL_MAGIC = 4223,
    TAN_GOAL_SPENT = 2342, /* of a file consumed by a simulation */
};
#define TAN_GOAL_PS_PER_NS 1000

#endif
