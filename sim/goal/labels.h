/* labels.h - labels of one rank, and cycles of operations that wait for each other
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_LABELS_H
#define TAN_SIM_GOAL_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "sim/schedule/schedule.h"

struct tan_label {
    uint32_t op;           /* the labelled operation, TAN_OP_NONE while unknown */
    uint32_t line, column; /* of its definition, or until then of its first use */
    uint32_t length;
    size_t name; /* offset in tan_labels.names */
};

/* Zero-initialised. */
struct tan_labels {
    struct tan_label *list;
    uint32_t count;
    char *names;
    /* private */
    struct tan_map by_hash;
    uint32_t room;
    size_t names_used, names_room;
};

/* The index of a name, from 0; new names get TAN_OP_NONE and line 0. TAN_OP_NONE when memory is
 * short. O(length). */
uint32_t tan_labels_find(struct tan_labels *l, const char *name, size_t length,
                         struct tan_error *e);
/* Remove all names. O(names). */
void tan_labels_empty(struct tan_labels *l);
void tan_labels_free(struct tan_labels *l);

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
