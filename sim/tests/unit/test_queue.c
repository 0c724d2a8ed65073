/* test_queue.c - unit tests of the event queue and of the heaps of waiting operations, against
 * searches through all that is left
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/engine/queue.h"

enum { MANY = 3000 };

static uint32_t draw_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

/* Events that should be in the queue, in no order. */
struct left {
    struct tan_event event[MANY];
    size_t n;
};

static size_t first_left(const struct left *left)
{
    size_t first = 0;
    for (size_t i = 1; i < left->n; i++) {
        const struct tan_event *a = &left->event[i], *b = &left->event[first];
        if (a->time < b->time || (a->time == b->time && tan_turn_before(a->turn, b->turn))) {
            first = i;
        }
    }
    return first;
}

static void pop_first(struct tan_queue *q, struct left *left)
{
    struct tan_event event;
    const size_t first = first_left(left);
    assert_true(tan_queue_pop(q, &event));
    assert_int_equal(event.time, left->event[first].time);
    assert_int_equal(event.turn, left->event[first].turn);
    left->event[first] = left->event[--left->n];
}

/* Turns begin below 2^32, so that they wrap; one event in three has an earlier turn than others, as
 * retries have. `times`: few make long sorts. */
static void check_queue(uint32_t times, uint64_t seed)
{
    static struct left left;
    struct tan_queue q = {0};
    struct tan_event event = {0};
    uint32_t turn = UINT32_MAX - 2 * MANY;
    left.n = 0;
    for (int i = 0; i < MANY; i++) {
        const bool early = draw_below(&seed, 3) == 0;
        event.time = q.now + draw_below(&seed, times);
        event.turn = early ? turn - 1 - 2 * draw_below(&seed, MANY) : turn;
        turn += 2;
        if (early) {
            tan_queue_push_early(&q, event);
        } else {
            tan_queue_push(&q, event);
        }
        left.event[left.n++] = event;
        if (draw_below(&seed, times) > 2) {
            pop_first(&q, &left);
        }
    }
    while (left.n > 0) {
        pop_first(&q, &left);
    }
    assert_false(tan_queue_pop(&q, &event));
    assert_false(q.failed);
    tan_queue_clear(&q);
}

TEST(queue_order)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        check_queue(2, seed);
        check_queue(5, seed);
        check_queue(40, seed);
    }
}

/* Operations are added in order but for one in `odd`, and taken at random. */
static void check_heap(uint32_t odd, uint64_t seed)
{
    static struct tan_op_state states[MANY];
    static bool waits[MANY];
    uint32_t heap = TAN_OP_NONE;
    for (uint32_t op = 0, left = 0; op < MANY || left > 0;) {
        if (op < MANY && draw_below(&seed, 5) < 3) {
            states[op].turn = 2 * MANY + 2 * op;
            if (draw_below(&seed, odd) == 0) {
                states[op].turn -= 1 + 2 * draw_below(&seed, MANY);
            }
            heap = tan_waiting_add(states, heap, op);
            waits[op++] = true;
            left++;
        } else if (left > 0) {
            for (uint32_t other = 0; other < op; other++) {
                assert_true(!waits[other] || states[heap].turn <= states[other].turn);
            }
            assert_true(waits[heap]);
            waits[heap] = false;
            heap = tan_waiting_take(states, heap);
            left--;
        }
    }
    assert_int_equal(heap, TAN_OP_NONE);
}

TEST(heap_order)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_heap(1, seed);
        check_heap(4, seed);
        check_heap(MANY, seed);
    }
}

RUN_TESTS(NULL, NULL)
