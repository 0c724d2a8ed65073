/* queue.c - event queue, ordered by time and turn, and heaps of waiting operations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/queue.h"

#include <stdlib.h>
#include <string.h>

#include "sim/schedule/arrays.h"

void tan_queue_clear(struct tan_queue *q)
{
    for (size_t i = 0; i < sizeof q->buckets / sizeof *q->buckets; i++) {
        free(q->buckets[i].events);
    }
    *q = (struct tan_queue){0};
}

int tan_queue_room(struct tan_queue *q, struct tan_bucket *b)
{
    /* Memory that is reserved but never touched costs nothing, unlike copying in small steps. */
    const size_t room = b->room < (size_t)1 << 16 ? 2 * b->room + 64 : 8 * b->room;
    struct tan_event *events = realloc(b->events, room * sizeof *events);
    if (events == NULL) {
        q->failed = true;
        return -1;
    }
    tan_use_big_pages(events, room * sizeof *events);
    b->events = events;
    b->room = room;
    return 0;
}

/* Radix sort by the bytes of turns above `least`; all are within `span` of it. */
static void sort_bytes(struct tan_event *events, struct tan_event *other, size_t n, uint32_t least,
                       uint32_t span)
{
    struct tan_event *from = events, *to = other;
    for (int shift = 0; shift < 32 && span >> shift > 0; shift += 8) {
        size_t at[257] = {0};
        for (size_t i = 0; i < n; i++) {
            at[((from[i].turn - least) >> shift & 0xff) + 1]++;
        }
        for (int i = 1; i < 256; i++) {
            at[i] += at[i - 1];
        }
        for (size_t i = 0; i < n; i++) {
            to[at[(from[i].turn - least) >> shift & 0xff]++] = from[i];
        }
        struct tan_event *swap = from;
        from = to;
        to = swap;
    }
    if (from != events) {
        memcpy(events, from, n * sizeof *events);
    }
}

static void sort_many(struct tan_queue *q, struct tan_event *events, size_t n)
{
    uint32_t least = events[0].turn, most = least;
    for (size_t i = 1; i < n; i++) {
        least = tan_turn_before(events[i].turn, least) ? events[i].turn : least;
        most = tan_turn_before(most, events[i].turn) ? events[i].turn : most;
    }
    struct tan_event *other = malloc(n * sizeof *other);
    if (other == NULL) {
        q->failed = true;
        return;
    }
    sort_bytes(events, other, n, least, most - least);
    free(other);
}

/* Stable sort of the events of one time, usually few. */
static void sort_by_turn(struct tan_queue *q, struct tan_event *events, size_t n)
{
    enum { FEW = 32 };
    if (n > FEW) {
        sort_many(q, events, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct tan_event event = events[i];
        size_t to = i;
        for (; to > 0 && tan_turn_before(event.turn, events[to - 1].turn); to--) {
            events[to] = events[to - 1];
        }
        events[to] = event;
    }
}

void tan_queue_insert(struct tan_queue *q, struct tan_event event)
{
    struct tan_bucket *b = &q->buckets[0];
    size_t from = q->next, to = b->n; /* the first event with a later turn is in between */
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (tan_turn_before(event.turn, b->events[middle].turn)) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    const size_t before = to - q->next, after = b->n - to;
    if (before < after && q->next > 0) { /* the slot of the last event popped is free */
        q->next--;
        memmove(&b->events[q->next], &b->events[q->next + 1], before * sizeof event);
        b->events[to - 1] = event;
        return;
    }
    tan_queue_push(q, event);
    if (!q->failed) {
        memmove(&b->events[to + 1], &b->events[to], after * sizeof event);
        b->events[to] = event;
    }
}

static void spread_bucket(struct tan_queue *q, struct tan_bucket *from)
{
    const size_t n = from->n;
    from->n = 0;
    for (size_t i = 0; i < n; i++) {
        tan_queue_put(q, from->events[i], from->early);
    }
    if (from->room > (size_t)1 << 20) { /* rarely that full again, so release it */
        free(from->events);
        from->events = NULL;
        from->room = 0;
    }
}

bool tan_queue_advance(struct tan_queue *q)
{
    struct tan_bucket *current = &q->buckets[0];
    q->next = current->n = 0;
    current->early = false;
    if (q->filled == 0) {
        return false;
    }
    struct tan_bucket *b = &q->buckets[1 + __builtin_ctzll(q->filled)];
    q->filled &= q->filled - 1;
    if (!b->mixed) {
        const struct tan_bucket swap = *current;
        *current = *b;
        *b = swap;
        q->now = current->events[0].time;
    } else {
        uint64_t least = b->events[0].time;
        for (size_t i = 1; i < b->n; i++) {
            least = b->events[i].time < least ? b->events[i].time : least;
        }
        q->now = least;
        spread_bucket(q, b);
    }
    if (current->early) {
        sort_by_turn(q, current->events, current->n);
    }
    return current->n > 0;
}

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
