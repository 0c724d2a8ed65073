/* schedule_internal.h - interface between building and sealing a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_SCHEDULE_INTERNAL_H
#define TAN_SIM_SCHEDULE_SCHEDULE_INTERNAL_H

#include "sim/schedule/schedule.h"

struct tan_edge {
    uint32_t op, on; /* numbers within the rank */
    enum tan_requires when;
};

struct tan_block {
    uint32_t rank, first_op;
};

/* Values of operations that are rarely other than 0; NULL while all are. */
struct tan_rare {
    uint32_t *list, n, room;
};

/* During construction operations hold the peer in `channel`, and no port. */
struct tan_schedule_builder {
    struct tan_schedule *schedule;
    bool keep_lines;
    uint64_t most_ops, most_dependencies; /* limits imposed by memory */
    uint32_t wildcards;                   /* operations with any source or tag */
    struct {
        struct tan_block *list;
        uint32_t n, room;
    } blocks;                     /* the ranks so far, in insertion order */
    struct tan_rare tags, places; /* places as CPU << 8 | NIC */
    uint32_t n_phases;            /* in schedule->phases, which may be fewer than operations */
    uint16_t cpu;                 /* for operations that specify CPU 0 */
    uint32_t rank, first;         /* the current one and its first operation */
    struct {
        struct tan_edge *list;
        uint32_t n, room;
    } edges;          /* of the current rank, in insertion order */
    bool backward;    /* there is one on a later operation */
    uint32_t *counts; /* scratch: 2 per operation of the current rank, and 1 */
    struct {
        uint32_t ops, phases, lines, dependents, counts;
    } room; /* of the schedule's arrays, and of counts */
};

/* Set the phases of the first n operations: unmarked ones have none. */
int tan_builder_fill_phases(struct tan_schedule_builder *b, uint32_t n, struct tan_error *e);

#endif
