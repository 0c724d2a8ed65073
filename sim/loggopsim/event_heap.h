/* event_heap.h - priority queue of events, by time, then by number
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_LOGGOPSIM_EVENT_HEAP_H
#define SIM_LOGGOPSIM_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Earlier times come first, of the same time lower numbers. Times may also run backwards: an event
 * may lie before those that have been taken. */
struct tan_heap_event {
    uint64_t time;
    uint32_t number;
    uint32_t what; /* the caller's */
};

/* Zero-initialised by the caller, emptied by tan_heap_clear. */
struct tan_event_heap {
    struct tan_heap_event *heap; /* four children a node */
    size_t n_heap, heap_room;
    struct tan_heap_event *lane; /* sorted: from `head` to `tail` */
    size_t head, tail, lane_room;
};

void tan_heap_clear(struct tan_event_heap *q);
/* O(log events) */
int tan_heap_push(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e);
/* The same for an event that most likely comes after all others that were pushed by this function:
 * then O(1), and so is taking it. */
int tan_heap_push_late(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e);
/* Take the first; false: there is none. */
bool tan_heap_take(struct tan_event_heap *q, struct tan_heap_event *event);

#endif
