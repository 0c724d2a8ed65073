/* schedule_internal.h - interface between building and sealing of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_SCHEDULE_INTERNAL_H
#define SIM_SCHEDULE_SCHEDULE_INTERNAL_H

#include <stddef.h>

#include "sim/schedule/schedule.h"

struct tan_edge {
    uint32_t op, on; /* numbers within the rank */
    enum tan_requires when;
};

struct tan_block {
    uint32_t rank, first_op;
};

/* While a schedule is built its operations hold the peer in `channel` and no port. */
struct tan_schedule_builder {
    struct tan_schedule *schedule;
    bool keep_lines;
    uint64_t most_ops, most_dependencies; /* that fit the memory */
    uint32_t wildcards;                   /* operations with any source or any tag */
    struct tan_block *blocks;             /* the ranks so far, as they came */
    uint32_t n_blocks;
    uint32_t *tags, n_tags; /* by operation; NULL while all are 0 */
    uint32_t n_phases;      /* of schedule->phases, which may be fewer than operations */
    uint16_t *places;       /* by operation, CPU << 8 | NIC; NULL while all are 0 */
    uint32_t n_places;
    uint8_t cpu;            /* of operations that name CPU 0 */
    uint32_t rank, first;   /* the current one, its first operation */
    uint32_t begin;         /* the same, or the first operation of its block */
    struct tan_edge *edges; /* the current rank's, in order */
    uint32_t n_edges;
    bool backward;    /* one of them is on a later operation */
    uint32_t *counts; /* scratch: 2 per operation of the current rank */
    uint32_t room_blocks, room_ops, room_tags, room_places, room_phases, room_lines, room_edges,
        room_dependents, room_counts;
};

/* Phases of the first n operations: those that were not marked have none. */
int tan_builder_fill_phases(struct tan_schedule_builder *b, uint32_t n, struct tan_error *e);

/* Make the builder, which is used for nothing else, ready for the next block of a rank, behind
 * `before` operations of it. */
void tan_builder_begin_block(struct tan_schedule_builder *b, uint32_t rank, uint32_t before);
/* Exchange what the blocks of two builders hold. O(1). */
void tan_builder_take_block(struct tan_schedule_builder *to, struct tan_schedule_builder *from);

/* Put the builder's dependencies into `dependents` from `place` on, where there is room, and count
 * them in `ops`: n operations whose first has number `base` in the dependencies and `first` in the
 * schedule. b->counts has room for 2 n + 1. */
void tan_sort_dependents(struct tan_schedule_builder *b, uint32_t base, struct tan_op *ops,
                         uint32_t n, uint32_t first, uint32_t *dependents, uint32_t place);

#endif
