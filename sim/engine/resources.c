/* resources.c - CPUs and NICs, and the operations waiting for them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/simulator.h"

/* Waiting */

void tan_push_retry(struct simulator *m, uint64_t time, uint32_t op)
{
    m->late |= time > TAN_SIM_LATEST;
    tan_queue_push_early(&m->queue, (struct tan_event){time, m->states[op].turn,
                                                       op | (uint32_t)RETRY << WHAT_SHIFT});
}

/* Only the first operation of a heap is scheduled for a retry. */
void tan_wait_idle(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const uint64_t free = port_free(m, o);
    uint32_t *heap = &m->ports[tan_op_port(o)].waiting[class_of(o)];
    *heap = tan_waiting_add(m->states, *heap, op);
    if (*heap == op) {
        tan_push_retry(m, free > now ? free : now, op);
    }
}

bool tan_must_wait(struct simulator *m, uint32_t op, uint64_t now)
{
    if (port_free(m, &m->s->ops[op]) <= now) {
        return false;
    }
    tan_wait_idle(m, op, now);
    return true;
}

/* History */

static struct user *user_of_cpu(struct simulator *m, uint32_t op)
{
    return &m->users[cpu_port(m->s, tan_op_port(&m->s->ops[op]))].cpu;
}

static struct user *user_of_nic(struct simulator *m, uint32_t op, enum tan_op_kind direction)
{
    struct users *users = &m->users[nic_port(m->s, tan_op_port(&m->s->ops[op]))];
    return direction == TAN_OP_SEND ? &users->send : &users->receive;
}

/* The operation that has just released the resource this one gets, or TAN_OP_NONE. */
static uint32_t left_by(struct simulator *m, uint32_t op, uint64_t now, enum tan_why *why)
{
    const struct tan_op *o = &m->s->ops[op];
    *why = TAN_WHY_CPU;
    if (cpu_of(m, tan_op_port(o))->cpu_free == now) {
        return user_of_cpu(m, op)->op;
    }
    if (tan_op_kind(o) != TAN_OP_CALC && port_free(m, o) == now) {
        *why = TAN_WHY_GAP;
        return user_of_nic(m, op, tan_op_kind(o))->op;
    }
    return TAN_OP_NONE;
}

void tan_note_posted(struct simulator *m, uint32_t receive, uint64_t now)
{
    struct tan_history *h = &m->history[receive];
    if (now > h->ready) { /* waited for the CPU */
        h->met_by = user_of_cpu(m, receive)->op;
    }
    h->ready = now;
}

void tan_note_again(struct simulator *m, uint32_t op, uint64_t now)
{
    enum tan_why why;
    m->history[op].met_by = left_by(m, op, now, &why);
}

void tan_note_gap(struct simulator *m, uint32_t send)
{
    m->history[send].met_by = user_of_nic(m, send, TAN_OP_SEND)->op;
}

void tan_note_data(struct simulator *m, uint32_t receive, uint64_t arrive, uint64_t begin)
{
    struct tan_history *h = &m->history[receive];
    h->wire = begin;
    h->gap = begin > arrive ? user_of_nic(m, receive, TAN_OP_RECV)->op : TAN_OP_NONE;
}

/* Record what the operation waited for. */
void tan_note_start(struct simulator *m, uint32_t op, uint64_t now)
{
    struct tan_history *h = &m->history[op];
    h->start = now;
    h->cause = h->met_by;
    if (tan_op_kind(&m->s->ops[op]) == TAN_OP_RECV) {
        const uint32_t send = m->links[op];
        h->match = send;
        m->history[send].match = op;
        mix_order(user_of_cpu(m, op), send);
        if (now == h->wire && h->wire >= h->ready) {
            h->why = TAN_WHY_MESSAGE;
            h->cause = send;
            return;
        }
        if (now == h->ready) {
            h->why = TAN_WHY_POSTED;
            return;
        }
    } else if (now == h->ready) {
        h->why = h->cause == TAN_OP_NONE ? TAN_WHY_BEGIN : TAN_WHY_DEPENDENCY;
        return;
    }
    h->cause = left_by(m, op, now, &h->why);
}

void tan_take_cpu_again(struct simulator *m, uint32_t op, uint64_t until)
{
    if (m->history != NULL) {
        m->history[op].busy = until;
        note_user(user_of_cpu(m, op), op);
    }
    cpu_of(m, tan_op_port(&m->s->ops[op]))->cpu_free = until;
    m->late |= until > TAN_SIM_LATEST;
}

void tan_take_cpu(struct simulator *m, uint32_t op, uint64_t now, uint64_t until)
{
    if (m->history != NULL) {
        tan_note_start(m, op, now);
    }
    tan_take_cpu_again(m, op, until);
}

void tan_interrupt(struct simulator *m, uint32_t op, uint64_t now, uint64_t own)
{
    const uint64_t free = cpu_of(m, tan_op_port(&m->s->ops[op]))->cpu_free;
    if (m->history != NULL) {
        m->history[op].behind = free > now ? user_of_cpu(m, op)->op : TAN_OP_NONE;
    }
    tan_take_cpu_again(m, op, (free > now ? free : now) + own);
}

void tan_keep_cpu(struct simulator *m, uint32_t op, uint64_t until)
{
    struct port *cpu = cpu_of(m, tan_op_port(&m->s->ops[op]));
    if (until > cpu->cpu_free) {
        cpu->cpu_free = until;
        if (m->history != NULL) {
            user_of_cpu(m, op)->op = op;
        }
    }
}

void tan_take_nic(struct simulator *m, uint32_t op, uint64_t until)
{
    const enum tan_op_kind kind = tan_op_kind(&m->s->ops[op]);
    struct port *nic = nic_of(m, tan_op_port(&m->s->ops[op]));
    *(kind == TAN_OP_SEND ? &nic->send_free : &nic->receive_free) = until;
    if (m->history != NULL) {
        note_user(user_of_nic(m, op, kind), op);
    }
}
