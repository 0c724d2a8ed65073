/* dependencies.c - release of operations by the start or finish of others
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/array.h"
#include "sim/engine/simulator.h"

/* A dependency of `op` on `cause` is met at `time`. */
static void meet_dependency(struct simulator *m, uint32_t op, uint64_t time, uint32_t cause)
{
    struct tan_op_state *state = &m->states[op];
    if (time >= tan_ready_time(state)) {
        tan_set_ready(state, time);
        if (m->history != NULL) {
            m->history[op].ready = time;
            m->history[op].met_by = cause;
        }
    }
    if (--state->pending > 0) {
        return;
    }
    if (TAN_RESERVE(m->released.ops, m->released.room, m->released.n + 1) < 0) {
        m->failed = true;
        return;
    }
    m->released.ops[m->released.n++] = op;
}

/* End the phase that ends with the operation's start (`at` TAN_PHASE_STARTS) or end (0). */
static void end_phase(struct simulator *m, uint32_t op, uint64_t time, uint16_t at)
{
    const uint16_t phase = m->s->phases == NULL ? 0 : m->s->phases[op];
    if (phase != 0 && (phase & (TAN_PHASE_STARTS | TAN_PHASE_PART)) == at) {
        uint64_t *since = &m->phases.since[tan_schedule_op_rank(m->s, op)];
        struct tan_phase_time *total = &m->phases.time[phase & (TAN_PHASE_STARTS - 1)];
        total->ns += (time - *since) / 1000;
        total->ps += (time - *since) % 1000;
        *since = time;
    }
}

void tan_started(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    end_phase(m, op, now, TAN_PHASE_STARTS);
    if ((o->port & TAN_OP_STARTS) == 0) {
        return;
    }
    for (uint32_t d = o[0].dependents; d < o[1].dependents; d++) {
        if ((m->s->dependents[d] & TAN_DEPENDENT_START) != 0) {
            meet_dependency(m, m->s->dependents[d] & ~TAN_DEPENDENT_START, now, op);
        }
    }
}

static void note_finish(struct simulator *m, uint32_t op, uint64_t time)
{
    end_phase(m, op, time, 0);
    if (m->history != NULL) {
        m->history[op].end = time;
    }
    if (m->handshakes.finish != NULL) {
        uint64_t *complete = &m->handshakes.finish[tan_schedule_op_rank(m->s, op)];
        *complete = time > *complete ? time : *complete;
    }
}

void tan_finished(struct simulator *m, uint32_t op, uint64_t time)
{
    const struct tan_op *o = &m->s->ops[op];
    if (m->notes_ends) {
        note_finish(m, op, time);
    }
    for (uint32_t d = o[0].dependents; d < o[1].dependents; d++) {
        if ((m->s->dependents[d] & TAN_DEPENDENT_START) == 0) {
            meet_dependency(m, m->s->dependents[d], time, op);
        }
    }
}

static void release_op(struct simulator *m, uint32_t op)
{
    const struct tan_op *o = &m->s->ops[op];
    struct tan_op_state *state = &m->states[op];
    const uint64_t time = tan_ready_time(state);
    const uint64_t free =
        tan_op_kind(o) == TAN_OP_SEND ? port_free(m, o) : cpu_of(m, tan_op_port(o))->cpu_free;
    state->turn = m->turn++;
    m->events++;
    push(m, time > free ? time : free, state->turn, op, READY);
}

/* Operations released by one event belong to at most two ranks, the event's own and a sender's.
 * They get their turns by rank, then sends before receives before calculations, then in order of
 * release. */
void tan_release_all(struct simulator *m)
{
    if (m->released.n == 0) {
        return;
    }
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < m->released.n; i++) {
        const uint32_t rank = tan_schedule_op_rank(m->s, m->released.ops[i]);
        low = rank < low ? rank : low;
        high = rank > high ? rank : high;
    }
    for (uint32_t rank = low;; rank = high) {
        for (int class = 0; class < CLASSES; class ++) {
            for (uint32_t i = 0; i < m->released.n; i++) {
                const uint32_t op = m->released.ops[i];
                if (class_of(&m->s->ops[op]) == class &&
                    (low == high || tan_schedule_op_rank(m->s, op) == rank)) {
                    release_op(m, op);
                }
            }
        }
        if (rank == high) {
            break;
        }
    }
    m->released.n = 0;
}
