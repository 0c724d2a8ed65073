/* window.h - window of a schedule: operations loaded and released in blocks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_WINDOW_H
#define TAN_SIM_SCHEDULE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "sim/schedule/schedule.h"

/* The part of a schedule too long for memory that a simulation can currently reach. A rank's
 * operations are loaded block by block in order; released blocks are reused for any rank.
 * Operations keep their numbers while in the window. No wildcards; only CPU and NIC 0. */

#define TAN_BLOCK_NONE UINT32_MAX

struct tan_window_block {
    uint32_t rank;
    uint32_t begin; /* number in the rank of its first operation */
    uint32_t n;     /* number of operations */
    uint32_t first; /* number in the window's schedule of its first operation */
    uint32_t next;  /* next block of the rank in the window, or TAN_BLOCK_NONE */
    uint32_t power; /* it has 2^power slots for operations, including the end marker */
};

/* An operation of the last block that depends on one of an earlier block. */
struct tan_late_edge {
    uint32_t op; /* number in the window's schedule */
    uint32_t on; /* number in the rank */
    enum tan_requires when;
};

struct tan_window {
    /* Its n_ops and n_dependents are capacities. Without first_op, rank_ops, first_channel and
     * lines. `requires` includes late dependencies, and TAN_OP_STARTS is always set, since an
     * operation not yet loaded may wait for a start. */
    struct tan_schedule schedule;
    struct tan_window_block *blocks;
    uint32_t *oldest, *newest;  /* per rank: blocks, or TAN_BLOCK_NONE */
    uint32_t *ops_before;       /* per rank: operations so far */
    struct tan_late_edge *late; /* of the block loaded last, in insertion order */
    uint32_t n_late;
    uint32_t n_blocks; /* capacity including free ones, independent of the schedule's length */

    struct tan_schedule_builder *builder;
    uint32_t free[32];       /* per power: the first free block */
    struct tan_map channels; /* by hash of receiver, source and tag */
    uint32_t room_ops, room_dependents, room_late, room_blocks, room_phases, room_receivers,
        room_sources, room_tags;
};

/* After a failure, too, *w is to be cleared. */
int tan_window_create(struct tan_window *w, uint32_t ranks, struct tan_error *e);
void tan_window_clear(struct tan_window *w);
/* Begin the next block of a rank. The builder accepts operations and dependencies as usual, but
 * numbers count from the rank's first operation, and dependencies may only be on earlier
 * operations. */
struct tan_schedule_builder *tan_window_begin(struct tan_window *w, uint32_t rank);
/* Load the builder's contents as the newest block of the rank; at least one operation. Arrays of
 * the schedule may move. *block: index in w->blocks. */
int tan_window_load(struct tan_window *w, uint32_t *block, struct tan_error *e);
/* Count the builder's contents as operations of the rank without loading them. */
void tan_window_skip(struct tan_window *w);
/* The operation with this number in its rank, in the window's schedule; TAN_OP_NONE if its block
 * was released. O(blocks of the rank). */
uint32_t tan_window_find(const struct tan_window *w, uint32_t rank, uint32_t number);
/* Release a block. O(blocks of the rank). */
void tan_window_release(struct tan_window *w, uint32_t block);

#endif
