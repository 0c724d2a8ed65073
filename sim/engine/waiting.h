/* waiting.h - heap of operations waiting for a resource, without memory of its own
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_WAITING_H
#define TAN_SIM_ENGINE_WAITING_H

#include <stdint.h>

#include "sim/schedule/schedule.h"

/* State of an operation in a simulation. While dependencies are missing: their number, and the
 * latest finish so far. Then: its turn, and its place in a heap or a time, that of a receive's
 * posting or the end of a started send's CPU time. */
struct tan_op_state {
    union {
        struct {
            uint32_t ready_low, ready_high; /* a time, in halves to avoid padding */
        };
        struct {
            uint32_t child, sibling;
        };
    };
    union {
        uint32_t pending;
        uint32_t turn;
    };
};

static inline uint64_t tan_ready_time(const struct tan_op_state *state)
{
    return (uint64_t)state->ready_high << 32 | state->ready_low;
}

static inline void tan_set_ready(struct tan_op_state *state, uint64_t time)
{
    state->ready_low = (uint32_t)time;
    state->ready_high = (uint32_t)(time >> 32);
}

/* A pairing heap with the lowest turn first, identified by its first operation; TAN_OP_NONE is
 * empty. All functions return the new heap. */

/* O(1). */
uint32_t tan_waiting_add(struct tan_op_state *states, uint32_t heap, uint32_t op);
/* Remove the first. Amortised O(log n). */
uint32_t tan_waiting_take(struct tan_op_state *states, uint32_t heap);

#endif
