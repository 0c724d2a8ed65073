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

void tan_wait_idle(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const uint64_t free = port_free(m, o);
    tan_wait_in(m, &m->ports[tan_op_port(o)].waiting[class_of(o)], op, free > now ? free : now);
}

/* Only the first operation of a heap is scheduled for a retry. */
void tan_wait_in(struct simulator *m, uint32_t *heap, uint32_t op, uint64_t until)
{
    *heap = tan_waiting_add(m->states, *heap, op);
    if (*heap == op) {
        tan_push_retry(m, until, op);
    }
}

/* Wait if a resource of the operation is busy at `now`. */
bool tan_must_wait(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const uint64_t free = port_free(m, o);
    if (free > now) {
        tan_wait_in(m, &m->ports[tan_op_port(o)].waiting[class_of(o)], op, free);
        return true;
    }
    return false;
}

/* History */

static uint32_t cpu_port(const struct simulator *m, uint32_t port)
{
    return m->s->ports == NULL ? port : m->s->ports[port].cpu_port;
}

static uint32_t nic_port(const struct simulator *m, uint32_t port)
{
    return m->s->ports == NULL ? port : m->s->ports[port].nic_port;
}

/* The operation that has just released the resource this one gets, or TAN_OP_NONE. */
static uint32_t left_by(struct simulator *m, uint32_t op, uint64_t now, enum tan_why *why)
{
    const struct tan_op *o = &m->s->ops[op];
    const uint32_t port = tan_op_port(o);
    const enum tan_op_kind kind = tan_op_kind(o);
    const struct users *nic = &m->users[nic_port(m, port)];
    *why = TAN_WHY_CPU;
    if (cpu_of(m, port)->cpu_free == now) {
        return m->users[cpu_port(m, port)].cpu.op;
    }
    if (kind != TAN_OP_CALC && port_free(m, o) == now) {
        *why = TAN_WHY_GAP;
        return kind == TAN_OP_SEND ? nic->send.op : nic->receive.op;
    }
    return TAN_OP_NONE;
}

void tan_note_posted(struct simulator *m, uint32_t receive, uint64_t now)
{
    struct tan_history *h = &m->history[receive];
    if (now > h->ready) { /* waited for the CPU */
        h->met_by = m->users[cpu_port(m, tan_op_port(&m->s->ops[receive]))].cpu.op;
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
    m->history[send].met_by = m->users[nic_port(m, tan_op_port(&m->s->ops[send]))].send.op;
}

void tan_note_data(struct simulator *m, uint32_t receive, uint64_t arrive, uint64_t begin)
{
    struct tan_history *h = &m->history[receive];
    h->wire = begin;
    h->gap = begin > arrive ? m->users[nic_port(m, tan_op_port(&m->s->ops[receive]))].receive.op
                            : TAN_OP_NONE;
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
        mix_order(&m->users[cpu_port(m, tan_op_port(&m->s->ops[op]))].cpu, send);
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
    const uint32_t port = tan_op_port(&m->s->ops[op]);
    if (m->history != NULL) {
        m->history[op].busy = until;
        note_user(&m->users[cpu_port(m, port)].cpu, op);
    }
    cpu_of(m, port)->cpu_free = until;
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
    const uint32_t port = tan_op_port(&m->s->ops[op]);
    const uint64_t free = cpu_of(m, port)->cpu_free;
    const uint64_t until = (free > now ? free : now) + own;
    if (m->history != NULL) {
        struct user *user = &m->users[cpu_port(m, port)].cpu;
        m->history[op].busy = until;
        m->history[op].behind = free > now ? user->op : TAN_OP_NONE;
        note_user(user, op);
    }
    cpu_of(m, port)->cpu_free = until;
    m->late |= until > TAN_SIM_LATEST;
}

void tan_keep_cpu(struct simulator *m, uint32_t op, uint64_t until)
{
    const uint32_t port = tan_op_port(&m->s->ops[op]);
    struct port *cpu = cpu_of(m, port);
    if (until > cpu->cpu_free) {
        cpu->cpu_free = until;
        if (m->history != NULL) {
            m->users[cpu_port(m, port)].cpu.op = op;
        }
    }
}

void tan_take_nic(struct simulator *m, uint32_t op, uint64_t until)
{
    const struct tan_op *o = &m->s->ops[op];
    const uint32_t port = tan_op_port(o);
    const bool send = tan_op_kind(o) == TAN_OP_SEND;
    struct port *nic = nic_of(m, port);
    if (send) {
        nic->send_free = until;
    } else {
        nic->receive_free = until;
    }
    if (m->history != NULL) {
        struct users *users = &m->users[nic_port(m, port)];
        note_user(send ? &users->send : &users->receive, op);
    }
}
