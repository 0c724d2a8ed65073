/* operations.c - progress of sends, receives and calculations that have their CPU
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/noise.h"
#include "sim/engine/simulator.h"

/* Sends */

const struct tan_link *tan_link_of(const struct simulator *m, const struct tan_op *send)
{
    if (m->same_links) {
        return &m->p->between;
    }
    return tan_sim_link(m->p, tan_port_rank(m->s, tan_op_port(send)),
                        tan_schedule_receiver(m->s, send->channel), send->amount);
}

bool tan_by_handshake(const struct simulator *m, const struct tan_op *send)
{
    return m->transferring != NULL && send->amount > m->p->S;
}

/* The data of a send leaves at `time`. Returns when its first byte is there. */
static uint64_t travel(struct simulator *m, uint32_t send, const struct tan_link *link,
                       uint64_t time)
{
    const uint64_t noise = m->p->noise == NULL ? 0 : tan_noise_draw(m->p->noise, send);
    if (m->history != NULL) {
        m->history[send].wire = time;
        m->history[send].noise = noise;
    }
    return time + link->L + noise;
}

static void send_message(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const struct tan_link *link = tan_link_of(m, o);
    tan_started(m, op, now);
    m->states[op].turn = m->turn++;
    m->events++;
    if (tan_by_handshake(m, o)) { /* the request */
        tan_take_cpu(m, op, now, now + m->p->control);
        tan_take_nic(m, op, now + link->g);
        push(m, now + m->p->control + link->L, m->states[op].turn, op, ARRIVED);
        return;
    }
    const uint64_t busy = now + link->o + tan_bytes_cost(link->O, o->amount);
    tan_take_cpu(m, op, now, busy);
    tan_take_nic(m, op, now + link->g + tan_bytes_cost(link->G, o->amount));
    push(m, travel(m, op, link, now + link->o), m->states[op].turn, op, ARRIVED);
    if (o->amount <= m->p->S) {
        tan_finished(m, op, busy);
    } else { /* not before its message is matched */
        tan_set_ready(&m->states[op], busy);
    }
}

/* The receiver is ready: push the data (RAT), or let it be pulled (RTA). */
static void transfer(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const struct tan_link *link = tan_link_of(m, o);
    const bool push_data = m->p->handshake == TAN_HANDSHAKE_RAT;
    const uint64_t dG = tan_bytes_cost(link->G, o->amount);
    const uint64_t dO = tan_bytes_cost(link->O, o->amount);
    const uint64_t leaves = now + m->p->control + (push_data ? link->o : 0);
    const uint64_t busy = leaves + (push_data ? dO : 0);
    if (m->history != NULL) {
        tan_note_again(m, op, now);
    }
    tan_take_cpu_again(m, op, busy);
    tan_take_nic(m, op, now + link->g + dG);
    const uint64_t arrives = travel(m, op, link, leaves);
    push(m, arrives, m->turn++, m->links[op], CONTROL);
    /* Pulled data is complete when the receiver has acknowledged it. */
    tan_finished(m, op, push_data ? busy : arrives + (dG > dO ? dG : dO) + link->L);
}

/* Pulled or pushed, the data needs no CPU. */
void tan_arrive(struct simulator *m, uint32_t receive, uint64_t now)
{
    const struct tan_op *sent = &m->s->ops[m->links[receive]];
    const struct tan_link *link = tan_link_of(m, sent);
    const uint64_t dG = tan_bytes_cost(link->G, sent->amount);
    const uint64_t dO = tan_bytes_cost(link->O, sent->amount);
    if (m->history != NULL) {
        m->history[receive].wire = now;
    }
    tan_finished(m, receive, now + (dG > dO ? dG : dO));
    let_go_both(m, m->links[receive], receive);
}

/* Receives */

/* CPU time of a message besides its bytes. */
static uint64_t receive_overhead(struct simulator *m, const struct tan_op *receive,
                                 const struct tan_link *link)
{
    if (!m->p->growing) {
        return tan_link_o_r(link);
    }
    struct port *cpu = cpu_of(m, tan_op_port(receive));
    const double w = cpu->queued--;
    return tan_round_ps((w == 1 ? m->p->a : 0) + m->p->b + m->p->c * (2 * w - 1));
}

static void receive_from(struct simulator *m, uint32_t op, uint32_t send, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op], *sent = &m->s->ops[send];
    const struct tan_link *link = tan_link_of(m, sent);
    if (tan_by_handshake(m, sent)) { /* the request; the data needs no CPU */
        const bool pull = m->p->handshake == TAN_HANDSHAKE_RTA;
        const uint64_t busy = now + 2 * m->p->control + (pull ? link->o : 0);
        m->links[send] = op;
        if (m->p->growing) {
            cpu_of(m, tan_op_port(o))->queued--;
        }
        tan_take_cpu(m, op, now, busy);
        tan_take_nic(m, op, now + link->g);
        push(m, busy + link->L, m->turn++, send, CONTROL);
        return;
    }
    const uint64_t dG = tan_bytes_cost(link->G, sent->amount);
    const uint64_t dO = tan_bytes_cost(link->O, sent->amount);
    const uint64_t busy = now + receive_overhead(m, o, link) + (dO > dG ? dO : dG);
    tan_take_cpu(m, op, now, busy);
    tan_take_nic(m, op, now + link->g + dG);
    tan_finished(m, op, busy);
    if (sent->amount > m->p->S) {
        const uint64_t sent_at = tan_ready_time(&m->states[send]);
        const uint64_t until = m->p->handshake == TAN_HANDSHAKE_FETCH ? busy + link->L : now;
        tan_keep_cpu(m, send, now);
        tan_finished(m, send, until > sent_at ? until : sent_at);
    }
    let_go_both(m, send, op);
}

static void receive_message(struct simulator *m, uint32_t op, uint64_t now)
{
    receive_from(m, op, m->links[op], now);
}

static void calculate(struct simulator *m, uint32_t op, uint64_t now)
{
    const uint64_t busy = now + m->s->ops[op].amount;
    tan_started(m, op, now);
    tan_take_cpu(m, op, now, busy);
    tan_finished(m, op, busy);
    let_go(m, op);
}

/* The operation has its resources. */
void tan_start(struct simulator *m, uint32_t op, uint64_t now)
{
    static void (*const starts[CLASSES])(struct simulator *, uint32_t,
                                         uint64_t) = {send_message, receive_message, calculate};
    if (m->transferring != NULL && m->transferring[op]) {
        transfer(m, op, now);
    } else {
        starts[class_of(&m->s->ops[op])](m, op, now);
    }
}

/* A message has found its receive; from now on it waits for the CPU in its own turn. */
void tan_deliver(struct simulator *m, uint32_t receive, uint32_t send, uint64_t now)
{
    m->states[receive].turn = m->states[send].turn;
    if (m->p->growing) {
        const struct tan_op *o = &m->s->ops[receive];
        uint32_t *heap = &m->ports[tan_op_port(o)].waiting[class_of(o)];
        const uint64_t free = port_free(m, o);
        m->links[receive] = send;
        cpu_of(m, tan_op_port(o))->queued++;
        if (free > now) {
            tan_wait_in(m, heap, receive, free);
            return;
        }
        *heap = tan_waiting_add(m->states, *heap, receive);
        if (*heap == receive) { /* all that come at this moment count, so it begins after them */
            push(m, now, m->turn++, receive, RETRY);
            hold(m, receive, now);
        }
        return;
    }
    if (m->p->in_calls) {
        m->links[receive] = send;
        tan_wait_idle(m, receive, now);
        return;
    }
    const bool waits = tan_must_wait(m, receive, now);
    if (waits || m->history != NULL || m->transferring != NULL) { /* otherwise it is never read */
        m->links[receive] = send;
    }
    if (!waits) {
        receive_from(m, receive, send, now);
    }
}
