/* event_heap.c - priority queue of events by time, then number
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/loggopsim/event_heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { CHILDREN = 4 };

static bool is_before(const struct tan_heap_event *a, const struct tan_heap_event *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void tan_heap_clear(struct tan_event_heap *q)
{
    free(q->heap);
    free(q->lane);
    *q = (struct tan_event_heap){0};
}

int tan_heap_push(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e)
{
    if (TAN_RESERVE(q->heap, q->heap_room, q->n_heap + 1) < 0) {
        return tan_fail_nomem(e);
    }
    size_t i = q->n_heap++;
    while (i > 0 && is_before(&event, &q->heap[(i - 1) / CHILDREN])) {
        q->heap[i] = q->heap[(i - 1) / CHILDREN];
        i = (i - 1) / CHILDREN;
    }
    q->heap[i] = event;
    return 0;
}

int tan_heap_push_late(struct tan_event_heap *q, struct tan_heap_event event, struct tan_error *e)
{
    if (q->head == q->tail) {
        q->head = q->tail = 0;
    } else if (is_before(&event, &q->lane[q->tail - 1])) {
        return tan_heap_push(q, event, e);
    }
    if (q->tail == q->lane_room) {
        if (q->head > q->lane_room / 2) {
            memcpy(q->lane, q->lane + q->head, (q->tail - q->head) * sizeof *q->lane);
            q->tail -= q->head;
            q->head = 0;
        } else if (TAN_RESERVE(q->lane, q->lane_room, q->tail + 1) < 0) {
            return tan_fail_nomem(e);
        }
    }
    q->lane[q->tail++] = event;
    return 0;
}

/* Remove the first event: move the last one to the top and sift it down. */
static void drop_top(struct tan_event_heap *q)
{
    const struct tan_heap_event last = q->heap[--q->n_heap];
    size_t i = 0;
    for (size_t child = 1; child < q->n_heap; child = CHILDREN * i + 1) {
        const size_t end = child + CHILDREN < q->n_heap ? child + CHILDREN : q->n_heap;
        size_t least = child;
        for (size_t c = child + 1; c < end; c++) {
            least = is_before(&q->heap[c], &q->heap[least]) ? c : least;
        }
        if (!is_before(&q->heap[least], &last)) {
            break;
        }
        q->heap[i] = q->heap[least];
        i = least;
    }
    q->heap[i] = last;
}

bool tan_heap_take(struct tan_event_heap *q, struct tan_heap_event *event)
{
    const bool lane = q->head < q->tail;
    if (lane && (q->n_heap == 0 || is_before(&q->lane[q->head], &q->heap[0]))) {
        *event = q->lane[q->head++];
        return true;
    }
    if (q->n_heap == 0) {
        return false;
    }
    *event = q->heap[0];
    drop_top(q);
    return true;
}
