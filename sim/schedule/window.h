/* window.h - a window of a schedule: operations that are loaded in blocks and given back
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_WINDOW_H
#define SIM_SCHEDULE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "sim/schedule/schedule.h"

/* Of a schedule that is too long to be held, the operations that a simulation can reach by now. A
 * rank's operations come in blocks, in their order; a block that is given back makes room for a
 * later one, of any rank. Operations keep their numbers while they are in the window. No wildcards,
 * and no CPU or NIC but 0. */

#define TAN_BLOCK_NONE UINT32_MAX

struct tan_window_block {
    uint32_t rank;
    uint32_t begin; /* of its first operation the number in the rank */
    uint32_t n;     /* operations */
    uint32_t first; /* of its first operation the number in the window's schedule */
    uint32_t next;  /* the rank's next block in the window, or TAN_BLOCK_NONE */
    uint32_t power; /* it has 2^power places for operations, one of them for their end */
};

/* An operation of the last block that waits for one of an earlier block. */
struct tan_late_edge {
    uint32_t op; /* its number in the window's schedule */
    uint32_t on; /* its number in the rank */
    enum tan_requires when;
};

struct tan_window {
    /* Its n_ops and n_dependents are how many there is room for. No first_op, rank_ops,
     * first_channel and lines. `requires` counts late dependencies, too, and TAN_OP_STARTS is set
     * throughout, since an operation yet to be loaded may wait for a start. */
    struct tan_schedule schedule;
    struct tan_window_block *blocks;
    uint32_t *oldest, *newest; /* by rank: blocks, or TAN_BLOCK_NONE */
    uint32_t *ops_before;      /* by rank: operations so far */
    struct tan_late_edge
        *late; /* of the block loaded last, in the order in which they were given */
    uint32_t n_late;
    uint32_t n_blocks; /* that there is room for, free ones included: it does not grow with the
                          schedule's length */

    struct tan_schedule_builder *builder;
    uint32_t free[32];       /* by power: the first free block */
    struct tan_map channels; /* by hash of receiver, source and tag */
    uint32_t room_ops, room_dependents, room_late, room_blocks, room_phases, room_receivers,
        room_sources, room_tags;
};

int tan_window_create(struct tan_window *w, uint32_t ranks, struct tan_error *e);
void tan_window_clear(struct tan_window *w);
/* Begin the next block of a rank. The builder takes operations and dependencies as always: numbers
 * count from the rank's first operation on, and an operation waits only for earlier ones. */
struct tan_schedule_builder *tan_window_begin(struct tan_window *w, uint32_t rank);
/* Load what the builder has got as the newest block of the rank; at least one operation. Arrays of
 * the schedule may move. *block: its place in w->blocks. */
int tan_window_load(struct tan_window *w, uint32_t *block, struct tan_error *e);
/* Count what the builder has got as operations of the rank, and load nothing. */
void tan_window_skip(struct tan_window *w);
/* The operation with this number in its rank, in the window's schedule; TAN_OP_NONE: its block was
 * given back. O(blocks of the rank). */
uint32_t tan_window_find(const struct tan_window *w, uint32_t rank, uint32_t number);
/* Give a block back. O(blocks of the rank). */
void tan_window_release(struct tan_window *w, uint32_t block);

#endif
