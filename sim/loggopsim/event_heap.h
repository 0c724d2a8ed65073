/* event_heap.h - priority queue of events by time, then number
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_LOGGOPSIM_EVENT_HEAP_H
#define TAN_SIM_LOGGOPSIM_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Earliest time first, ties by lowest number. Times may go back: an event may precede those already
 * taken. */
struct tan_heap_event {
    uint64_t time;
    uint32_t number;
    uint32_t what; /* for the caller */
};

/* Zero-initialise; free with tan_heap_clear. */
struct tan_event_heap {
    struct tan_heap_event *heap; /* 4-ary */
    size_t n_heap, heap_room;
    struct tan_heap_event *lane; /* sorted run from `head` to `tail` */
    size_t head, tail, lane_room;
};

void tan_heap_clear(struct tan_event_heap *q);
/* O(log events) */
int tan_heap_push(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e);
/* The same for an event that probably follows all others pushed by this function: then pushing and
 * taking it are O(1). */
int tan_heap_push_late(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e);
/* Take the first event; false if there is none. */
bool tan_heap_take(struct tan_event_heap *q, struct tan_heap_event *event);

#endif
