/* queue.h - event queue, ordered by time and turn, and heaps of waiting operations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_QUEUE_H
#define TAN_SIM_ENGINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/schedule/schedule.h"

/* A radix heap: an event is in the bucket of the highest bit in which its time differs from the
 * current time, so it moves at most once per bit of a time, and always sequentially through memory.
 * Times never precede the current time. Events of equal time are popped by turn: tan_queue_push
 * expects them in this order, and if any was pushed by tan_queue_push_early, they are sorted when
 * their time comes. 16 bytes per event. */

struct tan_event {
    uint64_t time;
    uint32_t turn;
    uint32_t what; /* for the caller */
};

/* Turns may wrap at 2^32: those of events with equal time are close together. */
static inline bool tan_turn_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

struct tan_bucket {
    struct tan_event *events;
    size_t n, room;
    bool mixed; /* holds events of different times */
    bool early; /* holds events pushed out of turn */
};

struct tan_queue {
    uint64_t now;
    uint64_t filled; /* bit i - 1: bucket i is not empty */
    size_t next;     /* index in bucket 0, which holds the events at `now` ordered by turn */
    bool failed;     /* out of memory: events are lost */
    struct tan_bucket buckets[65];
};

/* Empty the queue. Zero-initialise it before first use. */
void tan_queue_clear(struct tan_queue *q);

/* Make room for another event. -1 if memory is short, with q->failed set. */
int tan_queue_room(struct tan_queue *q, struct tan_bucket *b);

static inline void tan_queue_put(struct tan_queue *q, struct tan_event event, bool early)
{
    const uint64_t differs = event.time ^ q->now;
    const int i = differs == 0 ? 0 : 64 - __builtin_clzll(differs);
    struct tan_bucket *b = &q->buckets[i];
    if (b->n == b->room && tan_queue_room(q, b) != 0) {
        return;
    }
    if (b->n == 0) {
        b->mixed = b->early = false;
        q->filled |= i == 0 ? 0 : UINT64_C(1) << (i - 1);
    } else {
        b->mixed |= event.time != b->events[0].time;
    }
    b->early |= early;
    b->events[b->n++] = event;
}

/* `event.time` must not precede the current time, and its turn must be later than that of all
 * events pushed for the same time. */
static inline void tan_queue_push(struct tan_queue *q, struct tan_event event)
{
    tan_queue_put(q, event, false);
}

/* Insert an event at the current time among those left, by turn. */
void tan_queue_insert(struct tan_queue *q, struct tan_event event);

/* Like tan_queue_push, for an event whose turn may be earlier than others'. */
static inline void tan_queue_push_early(struct tan_queue *q, struct tan_event event)
{
    if (event.time == q->now) {
        tan_queue_insert(q, event);
    } else {
        tan_queue_put(q, event, true);
    }
}

/* Move on to the events of the next time, in bucket 0. False if there are none. */
bool tan_queue_advance(struct tan_queue *q);

/* Remove the next event. False if there is none. */
static inline bool tan_queue_pop(struct tan_queue *q, struct tan_event *event)
{
    if (q->next == q->buckets[0].n && !tan_queue_advance(q)) {
        return false;
    }
    *event = q->buckets[0].events[q->next++];
    return true;
}

/* Number of events left at the current time. */
static inline size_t tan_queue_left(const struct tan_queue *q)
{
    return q->buckets[0].n - q->next;
}

/* The event `ahead` positions after the next one to be popped, if it is at the current time; NULL
 * otherwise. */
static inline const struct tan_event *tan_queue_peek(const struct tan_queue *q, size_t ahead)
{
    return q->next + ahead < q->buckets[0].n ? &q->buckets[0].events[q->next + ahead] : NULL;
}

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
