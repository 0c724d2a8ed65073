/* simulate.c - event-driven simulation of a schedule under LogGOPS
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/simulation.h"

#include <stdlib.h>

#include "base/clock.h"
#include "sim/engine/match.h"
#include "sim/engine/simulator.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

enum { MET = 0, UNRECEIVED = 1, UNFINISHED = 2, UNMATCHED = 4, BLOCKED = 8 };

/* Mark operations that depend on others that have not happened. */
static void mark_blocked(const struct tan_schedule *s, uint8_t *marks, uint32_t *stack,
                         uint32_t depth)
{
    while (depth > 0) {
        const uint32_t op = stack[--depth];
        for (uint32_t d = s->ops[op].dependents; d < s->ops[op + 1].dependents; d++) {
            const uint32_t to = s->dependents[d] & ~TAN_DEPENDENT_START;
            const bool started = (marks[op] & BLOCKED) == 0;
            if (started && (s->dependents[d] & TAN_DEPENDENT_START) != 0) {
                continue;
            }
            if (marks[to] == MET) {
                marks[to] = BLOCKED;
                stack[depth++] = to;
            }
        }
    }
}

/* Collect the operations with `mark`, by rank. */
static int collect_marked(const struct tan_schedule *s, const uint8_t *marks, uint8_t mark,
                          uint32_t **list, uint32_t *n, struct tan_error *e)
{
    uint32_t count = 0;
    for (uint32_t op = 0; op < s->n_ops; op++) {
        count += (marks[op] & mark) != 0;
    }
    if ((*list = malloc(((size_t)count + 1) * sizeof **list)) == NULL) {
        return tan_fail_nomem(e);
    }
    *n = 0;
    for (uint32_t r = 0; r < s->ranks; r++) {
        for (uint32_t op = s->first_op[r]; op < s->first_op[r] + s->rank_ops[r]; op++) {
            if ((marks[op] & mark) != 0) {
                (*list)[(*n)++] = op;
            }
        }
    }
    return 0;
}

/* Fill out->unexpected, unmatched, blocked and unfinished from the matcher's contents at the end of
 * the simulation. Messages longer than `eager_limit` leave their sends unfinished. O(operations +
 * dependencies). */
static int find_leftovers(const struct tan_schedule *s, const struct tan_match *match,
                          uint64_t eager_limit, struct tan_simulation *out, struct tan_error *e)
{
    uint32_t depth = 0;
    uint8_t *marks = calloc((size_t)s->n_ops + 1, sizeof *marks);
    uint32_t *stack = malloc(((size_t)s->n_ops + 1) * sizeof *stack);
    if (marks == NULL || stack == NULL) {
        free(marks);
        free(stack);
        return tan_fail_nomem(e);
    }
    tan_match_left(match, marks);
    for (uint32_t op = 0; op < s->n_ops; op++) {
        const bool receives = tan_op_kind(&s->ops[op]) == TAN_OP_RECV;
        const bool waits = receives || s->ops[op].amount > eager_limit;
        if (marks[op] != MET) {
            marks[op] = receives ? UNMATCHED : waits ? UNRECEIVED | UNFINISHED : UNRECEIVED;
            stack[depth] = op;
            depth += waits;
        }
    }
    mark_blocked(s, marks, stack, depth);
    free(stack);
    const bool listed =
        collect_marked(s, marks, UNRECEIVED, &out->unexpected, &out->n_unexpected, e) == 0 &&
        collect_marked(s, marks, UNMATCHED, &out->unmatched, &out->n_unmatched, e) == 0 &&
        collect_marked(s, marks, BLOCKED, &out->blocked, &out->n_blocked, e) == 0 &&
        collect_marked(s, marks, UNFINISHED, &out->unfinished, &out->n_unfinished, e) == 0;
    free(marks);
    return listed ? 0 : -1;
}

/* Events by kind */

static void on_ready(struct simulator *m, uint32_t op, uint64_t now)
{
    if (tan_op_kind(&m->s->ops[op]) != TAN_OP_RECV) {
        if (!tan_must_wait(m, op, now)) {
            tan_start(m, op, now);
        }
        return;
    }
    if (m->history != NULL) {
        tan_note_posted(m, op, now);
    }
    tan_started(m, op, now);
    const uint32_t send = tan_match_receive(m->match, op);
    if (send == TAN_OP_NONE) {
        m->kept++;
        tan_set_ready(&m->states[op], now); /* posted */
        return;
    }
    m->kept--;
    if (m->history != NULL && !tan_by_handshake(m, &m->s->ops[send])) {
        m->history[op].wire =
            m->history[send].wire + tan_link_of(m, &m->s->ops[send])->L + m->history[send].noise;
    }
    tan_deliver(m, op, send, true, now);
}

/* Whether a receive is still inside its call at `now`: posted at this time, with nothing following
 * yet. */
static bool in_its_call(struct simulator *m, uint32_t receive, uint64_t now)
{
    return m->p->in_calls && tan_ready_time(&m->states[receive]) == now &&
           port_free(m, &m->s->ops[receive]) <= now;
}

static void on_arrived(struct simulator *m, uint32_t send, uint64_t now)
{
    const uint32_t receive = tan_match_message(m->match, send);
    if (receive == TAN_OP_NONE) {
        m->kept++;
        return;
    }
    m->kept--;
    if (m->history != NULL) {
        m->history[receive].wire = now;
    }
    tan_deliver(m, receive, send, in_its_call(m, receive, now), now);
}

/* If `op` is first in a heap of operations waiting for the same resource, retry it, and then the
 * next one when the resource is free. If the next one finds another resource busy,
 * it must wait for that one and not block the rest. */
static void retry_first(struct simulator *m, uint32_t *heap, uint32_t op, uint64_t now)
{
    if (*heap != op) {
        return;
    }
    *heap = tan_waiting_take(m->states, *heap);
    if (!tan_must_wait(m, op, now)) {
        tan_start(m, op, now);
    }
    const uint32_t next = *heap;
    if (next != TAN_OP_NONE && next != op) {
        const uint64_t free = port_free(m, &m->s->ops[next]);
        tan_push_retry(m, free > now ? free : now, next);
    }
}

/* Data that move only inside calls, by a receive or a send, are handled after everything else at
 * this instant, when the rank's next operation, if any, has started. Once all remaining events have
 * been postponed there is nothing else. */
static bool put_off(struct simulator *m, uint32_t op, uint64_t now)
{
    const bool moves = tan_op_kind(&m->s->ops[op]) == TAN_OP_RECV ||
                       (m->handshakes.complete != NULL && m->handshakes.complete[op]);
    if (!m->p->in_calls || !moves || ++m->put_off > tan_queue_left(&m->queue) + 1) {
        m->put_off = 0;
        return false;
    }
    push(m, now, m->turn++, op, RETRY);
    return true;
}

static void on_retry(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    if (put_off(m, op, now)) {
        return;
    }
    retry_first(m, &m->ports[tan_op_port(o)].waiting[class_of(o)], op, now);
}

/* The receiver's answer to a request, or the data that followed it. */
static void on_control(struct simulator *m, uint32_t op, uint64_t now)
{
    if (tan_op_kind(&m->s->ops[op]) == TAN_OP_SEND) {
        m->handshakes.complete[op] = 1;
        if (m->p->handshake == TAN_HANDSHAKE_RTA) {
            tan_be_pulled(m, op, now);
        } else if (m->p->in_calls) {
            tan_wait_idle(m, op, now);
        } else if (!tan_must_wait(m, op, now)) {
            tan_start(m, op, now);
        }
        return;
    }
    tan_arrive(m, op, now);
}

/* The whole run */

/* Events are limited by memory latency, so prefetch the data of upcoming events, one level of
 * indirection at a time. */
static void fetch_event(const struct simulator *m, uint32_t op, bool arrived)
{
    (void)arrived;
    __builtin_prefetch(&m->s->ops[op]);
    __builtin_prefetch(&m->states[op], 1);
}

static void fetch_resources(const struct simulator *m, uint32_t op, bool arrived)
{
    if (arrived) {
        tan_match_prefetch(m->match, m->s->ops[op].channel);
    } else {
        __builtin_prefetch(&m->ports[tan_op_port(&m->s->ops[op])], 1);
    }
}

static void fetch_receive(const struct simulator *m, uint32_t op, bool arrived)
{
    const uint32_t to = arrived ? tan_match_peek(m->match, m->s->ops[op].channel) : TAN_OP_NONE;
    if (to != TAN_OP_NONE) {
        __builtin_prefetch(&m->s->ops[to]);
        __builtin_prefetch(&m->states[to], 1);
    }
}

static void fetch_port(const struct simulator *m, uint32_t op, bool arrived)
{
    const uint32_t to = arrived ? tan_match_peek(m->match, m->s->ops[op].channel) : TAN_OP_NONE;
    if (to != TAN_OP_NONE) {
        const struct tan_op *o = &m->s->ops[to];
        __builtin_prefetch(&m->ports[tan_op_port(o)], 1);
        __builtin_prefetch(&m->s->dependents[o->dependents]);
    }
}

static void fetch_dependent(const struct simulator *m, uint32_t op, bool arrived)
{
    const uint32_t to = arrived ? tan_match_peek(m->match, m->s->ops[op].channel) : TAN_OP_NONE;
    if (to != TAN_OP_NONE && m->s->ops[to].dependents < m->s->n_dependents) {
        const uint32_t d = m->s->dependents[m->s->ops[to].dependents] & ~TAN_DEPENDENT_START;
        __builtin_prefetch(&m->states[d], 1);
        __builtin_prefetch(&m->s->ops[d]);
    }
}

static void prefetch_events(const struct simulator *m)
{
    static const struct {
        size_t ahead;
        void (*fetch)(const struct simulator *, uint32_t, bool);
    } stages[] = {{30, fetch_event},
                  {24, fetch_resources},
                  {18, fetch_receive},
                  {12, fetch_port},
                  {6, fetch_dependent}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct tan_event *event = tan_queue_peek(&m->queue, stages[i].ahead);
        if (event != NULL) {
            stages[i].fetch(m, event->what & OP_MASK, event->what >> WHAT_SHIFT == ARRIVED);
        }
    }
}

static void run_events(struct simulator *m)
{
    static void (*const on[])(struct simulator *, uint32_t, uint64_t) = {
        [READY] = on_ready, [ARRIVED] = on_arrived, [RETRY] = on_retry, [CONTROL] = on_control};
    struct tan_event event;
    while (!m->late && !m->failed && tan_queue_pop(&m->queue, &event)) {
        prefetch_events(m);
        m->put_off = event.what >> WHAT_SHIFT == RETRY ? m->put_off : 0;
        on[event.what >> WHAT_SHIFT](m, event.what & OP_MASK, event.time);
        tan_release_all(m);
    }
}

/* Operations without dependencies get their turns at time 0, rank by rank, and within a rank sends
 * before receives before calculations. All turns are assigned before anything happens, without
 * events. */
static void begin_class(struct simulator *m, uint32_t rank, int class, uint32_t *turn)
{
    const struct tan_schedule *s = m->s;
    const uint32_t from = s->first_op[rank];
    for (uint32_t op = from; op < from + s->rank_ops[rank]; op++) {
        if (s->ops[op].requires == 0 && class_of(&s->ops[op]) == class) {
            m->states[op].turn = (*turn)++;
            on_ready(m, op, 0);
            tan_release_all(m);
        }
    }
}

static void begin_roots(struct simulator *m)
{
    m->turn = m->s->n_roots;
    m->events = m->turn;
    uint32_t turn = 0;
    for (uint32_t r = 0; r < m->s->ranks && !m->late && !m->failed; r++) {
        for (int class = 0; class < CLASSES; class ++) {
            begin_class(m, r, class, &turn);
        }
    }
}

/* m->s and m->p must be set, all else zero. */
static int run_simulation(struct simulator *m, bool history, struct tan_simulation *out,
                          struct tan_error *e)
{
    double since = tan_clock_seconds();
    if (tan_sim_params_check(m->p, e) != 0 || tan_simulator_init(m, history, e) != 0) {
        return -1;
    }
    out->prepare_s = tan_clock_seconds() - since;
    since += out->prepare_s;
    begin_roots(m);
    run_events(m);
    out->run_s = tan_clock_seconds() - since;
    if (m->failed || m->queue.failed) {
        return tan_fail_nomem(e);
    }
    if (m->late) {
        return tan_fail(e, "the simulated time passes 2^62 ps (53 days)");
    }
    tan_queue_clear(&m->queue);
    out->events = m->events;
    return tan_finish_times(m, out, e);
}

int tan_simulate(const struct tan_schedule *s, const struct tan_sim_params *p, bool history,
                 struct tan_simulation *out, struct tan_error *e)
{
    struct simulator m = {.s = s, .p = p};
    *out = (struct tan_simulation){0};
    int result = run_simulation(&m, history, out, e);
    if (result == 0 && m.kept > 0) {
        result = find_leftovers(s, m.match, p->S, out, e);
    }
    if (result == 0) {
        out->history = m.history;
        m.history = NULL;
    } else {
        tan_simulation_clear(out);
    }
    tan_simulator_clear(&m);
    return result;
}

void tan_simulation_clear(struct tan_simulation *r)
{
    free(r->rank_finish);
    free(r->phase);
    free(r->unexpected);
    free(r->unmatched);
    free(r->blocked);
    free(r->unfinished);
    free(r->history);
    *r = (struct tan_simulation){0};
}
