/* goal_cycle.h - finding cyclic dependencies within a rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_GOAL_CYCLE_H
#define TAN_SIM_GOAL_GOAL_CYCLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/goal/labels.h"
#include "sim/schedule/schedule.h"

/* "label requires on", which are indices of labels, with its position in the text. */
struct tan_goal_wait {
    uint32_t label, on;
    uint32_t line, column;
    enum tan_requires when;
};

/* Operation `cyclic` of the rank waits for itself: write a shortest cycle through it to `text` ("a
 * requires b (line 3), b requires a (line 4)", abbreviated if long), and the position of the
 * one of its statements that comes last to *line and *column. O(labels + waits). */
int tan_goal_find_cycle(const struct tan_labels *labels, const struct tan_goal_wait *waits,
                        uint32_t n_waits, uint32_t cyclic, uint32_t *line, uint32_t *column,
                        char *text, size_t size, struct tan_error *e);

#endif
