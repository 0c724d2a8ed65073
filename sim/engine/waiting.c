/* waiting.c - heap of operations waiting for a resource, without memory of its own
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/waiting.h"

#include <stdbool.h>

#include "sim/engine/queue.h"

/* The later of the two becomes a child of the earlier. */
static uint32_t meld_heaps(struct tan_op_state *states, uint32_t a, uint32_t b)
{
    if (tan_turn_before(states[b].turn, states[a].turn)) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    states[b].sibling = states[a].child;
    states[a].child = b;
    return a;
}

/* The sibling of the first operation, which has none, is the latest one added in order: operations
 * mostly come in the order of their turns, and a heap of such ones is a path, which is taken apart
 * without comparisons. */
uint32_t tan_waiting_add(struct tan_op_state *states, uint32_t heap, uint32_t op)
{
    states[op].child = TAN_OP_NONE;
    if (heap == TAN_OP_NONE) {
        states[op].sibling = op;
        return op;
    }
    const uint32_t latest = states[heap].sibling;
    const bool in_order = !tan_turn_before(states[op].turn, states[latest].turn);
    const uint32_t first = meld_heaps(states, in_order ? latest : heap, op);
    if (in_order) {
        states[heap].sibling = op;
        return heap;
    }
    states[first].sibling = latest;
    return first;
}

uint32_t tan_waiting_take(struct tan_op_state *states, uint32_t heap)
{
    const uint32_t latest = states[heap].sibling;
    /* Meld children in pairs, then the pairs from last to first. */
    uint32_t pairs = TAN_OP_NONE;
    for (uint32_t a = states[heap].child; a != TAN_OP_NONE;) {
        const uint32_t b = states[a].sibling;
        const uint32_t rest = b == TAN_OP_NONE ? TAN_OP_NONE : states[b].sibling;
        const uint32_t pair = b == TAN_OP_NONE ? a : meld_heaps(states, a, b);
        states[pair].sibling = pairs;
        pairs = pair;
        a = rest;
    }
    uint32_t whole = pairs;
    if (pairs != TAN_OP_NONE) {
        pairs = states[pairs].sibling;
        states[whole].sibling = TAN_OP_NONE;
    }
    while (pairs != TAN_OP_NONE) {
        const uint32_t next = states[pairs].sibling;
        states[pairs].sibling = TAN_OP_NONE;
        whole = meld_heaps(states, whole, pairs);
        pairs = next;
    }
    if (whole != TAN_OP_NONE) {
        states[whole].sibling = latest;
    }
    return whole;
}
