/* operations.c - execution of sends, receives and calculations
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
    return m->handshakes.complete != NULL && send->amount > m->p->S;
}

/* A send's data leave at `time`. Returns when the first byte arrives. */
static uint64_t send_data(struct simulator *m, uint32_t send, const struct tan_link *link,
                          uint64_t time)
{
    const uint64_t noise = m->p->noise == NULL ? 0 : tan_noise_draw(m->p->noise, send);
    if (m->history != NULL) {
        m->history[send].wire = time;
        m->history[send].noise = noise;
    }
    return time + link->L + noise;
}

/* CPU time of a sender that stays busy after its data have left. */
static uint64_t held_after(const struct tan_link *link, uint64_t bytes)
{
    const uint64_t dG = tan_bytes_cost(link->G, bytes), dO = tan_bytes_cost(link->O, bytes);
    return link->held ? link->L + (dG > dO ? dG - dO : 0) : 0;
}

/* When the acknowledgement of a message delivered at `time` ends its send; at least `now`. */
static uint64_t acknowledged_at(const struct tan_link *link, uint64_t time, uint64_t now)
{
    const int64_t ends = (int64_t)(time + link->L) + link->ack_more;
    return ends < (int64_t)now ? now : (uint64_t)ends;
}

static void send_message(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const struct tan_link *link = tan_link_of(m, o);
    tan_started(m, op, now);
    m->states[op].turn = m->turn++;
    m->events++;
    if (tan_by_handshake(m, o)) { /* send the request */
        tan_take_cpu(m, op, now, now + m->p->control);
        tan_take_nic(m, op, now + link->g);
        push(m, now + m->p->control + link->L, m->states[op].turn, op, ARRIVED);
        return;
    }
    const uint64_t busy =
        now + link->o + tan_bytes_cost(link->O, o->amount) + held_after(link, o->amount);
    tan_take_cpu(m, op, now, busy);
    tan_take_nic(m, op, now + link->g + tan_bytes_cost(link->G, o->amount));
    push(m, send_data(m, op, link, now + link->o), m->states[op].turn, op, ARRIVED);
    if (o->amount <= m->p->S) {
        tan_finished(m, op, busy);
    } else { /* not before its message is matched */
        tan_set_ready(&m->states[op], busy);
    }
}

/* The receiver has answered: push the data (RAT). */
static void transfer_data(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const struct tan_link *link = tan_link_of(m, o);
    const uint64_t leaves = now + m->p->control + link->o;
    const uint64_t busy = leaves + tan_bytes_cost(link->O, o->amount) + held_after(link, o->amount);
    if (m->history != NULL) {
        tan_note_again(m, op, now);
    }
    tan_take_cpu_again(m, op, busy);
    tan_take_nic(m, op, now + link->g + tan_bytes_cost(link->G, o->amount));
    push(m, send_data(m, op, link, leaves), m->turn++, m->links[op], CONTROL);
    tan_finished(m, op, busy);
}

/* The receiver pulls the data (RTA) as soon as the sender's NIC is free. */
void tan_be_pulled(struct simulator *m, uint32_t op, uint64_t now)
{
    const struct tan_op *o = &m->s->ops[op];
    const struct tan_link *link = tan_link_of(m, o);
    const uint64_t free = nic_of(m, tan_op_port(o))->send_free;
    const uint64_t begins = free > now ? free : now;
    if (m->history != NULL && begins > now) {
        tan_note_gap(m, op);
    }
    tan_interrupt(m, op, now, m->p->control);
    tan_take_nic(m, op, begins + link->g + tan_bytes_cost(link->G, o->amount));
    push(m, send_data(m, op, link, begins + m->p->control), m->turn++, m->links[op], CONTROL);
}

/* Pulled or pushed data need no CPU time, but a NIC takes one message at a time. A send whose data
 * are pulled is complete when they are acknowledged. */
void tan_arrive(struct simulator *m, uint32_t receive, uint64_t now)
{
    const uint32_t send = m->links[receive];
    const struct tan_op *sent = &m->s->ops[send];
    const struct tan_link *link = tan_link_of(m, sent);
    const uint64_t free = nic_of(m, tan_op_port(&m->s->ops[receive]))->receive_free;
    const uint64_t begins = free > now ? free : now;
    const uint64_t dG = tan_bytes_cost(link->G, sent->amount);
    const uint64_t dO = tan_bytes_cost(link->O, sent->amount);
    const uint64_t ends = begins + (dG > dO ? dG : dO);
    if (m->history != NULL) {
        tan_note_data(m, receive, now, begins);
    }
    tan_take_nic(m, receive, begins + link->g + dG);
    tan_finished(m, receive, ends);
    if (m->p->handshake == TAN_HANDSHAKE_RTA) {
        tan_finished(m, send, acknowledged_at(link, ends, now));
    }
}

/* Receives */

static void receive_from(struct simulator *m, uint32_t op, uint32_t send, uint64_t now)
{
    const struct tan_op *sent = &m->s->ops[send];
    const struct tan_link *link = tan_link_of(m, sent);
    if (tan_by_handshake(m, sent)) { /* a request; the data need no CPU time */
        const uint64_t busy = now + 2 * m->p->control;
        m->links[send] = op;
        tan_take_cpu(m, op, now, busy);
        tan_take_nic(m, op, now + link->g);
        push(m, busy + link->L, m->turn++, send, CONTROL);
        return;
    }
    const uint64_t dG = tan_bytes_cost(link->G, sent->amount);
    const uint64_t dO = tan_bytes_cost(link->O, sent->amount);
    const uint64_t busy = now + tan_link_o_r(link) + (dO > dG ? dO : dG);
    tan_take_cpu(m, op, now, busy);
    tan_take_nic(m, op, now + link->g + dG);
    tan_finished(m, op, busy);
    if (sent->amount > m->p->S) {
        const uint64_t sent_at = tan_ready_time(&m->states[send]);
        const uint64_t until =
            m->p->handshake == TAN_HANDSHAKE_FETCH ? acknowledged_at(link, busy, now) : now;
        tan_keep_cpu(m, send, m->queue.now);
        tan_finished(m, send, until > sent_at ? until : sent_at);
    }
}

/* Pull the data of a request (RTA), independent of the CPU. */
static void pull_data(struct simulator *m, uint32_t op, uint32_t send, uint64_t now)
{
    const struct tan_link *link = tan_link_of(m, &m->s->ops[send]);
    const uint64_t own = 2 * m->p->control + link->o;
    m->links[op] = send;
    m->links[send] = op;
    if (m->history != NULL) {
        tan_note_start(m, op, now);
    }
    const uint64_t free = nic_of(m, tan_op_port(&m->s->ops[op]))->receive_free;
    tan_interrupt(m, op, now, own);
    if (now + link->g > free) {
        tan_take_nic(m, op, now + link->g);
    }
    push(m, now + own + link->L, m->turn++, send, CONTROL);
}

static void receive_message(struct simulator *m, uint32_t op, uint64_t now)
{
    receive_from(m, op, m->links[op], now);
}

static void run_calc(struct simulator *m, uint32_t op, uint64_t now)
{
    const uint64_t busy = now + m->s->ops[op].amount;
    tan_started(m, op, now);
    tan_take_cpu(m, op, now, busy);
    tan_finished(m, op, busy);
}

/* Start the operation, whose resources are free. */
void tan_start(struct simulator *m, uint32_t op, uint64_t now)
{
    static void (*const starts[CLASSES])(struct simulator *, uint32_t,
                                         uint64_t) = {send_message, receive_message, run_calc};
    if (m->handshakes.complete != NULL && m->handshakes.complete[op]) {
        transfer_data(m, op, now);
    } else {
        starts[class_of(&m->s->ops[op])](m, op, now);
    }
}

/* If the message is there when the receive is posted, that call takes it as soon as the NIC is
 * free. The rank's next operation follows. */
static void receive_in_call(struct simulator *m, uint32_t receive, uint32_t send, uint64_t now)
{
    const uint64_t free = port_free(m, &m->s->ops[receive]);
    m->links[receive] = send;
    receive_from(m, receive, send, free > now ? free : now);
}

/* A message has matched a receive, which now waits for the CPU in its own turn. */
void tan_deliver(struct simulator *m, uint32_t receive, uint32_t send, bool in_call, uint64_t now)
{
    m->states[receive].turn = m->states[send].turn;
    if (m->p->handshake == TAN_HANDSHAKE_RTA && tan_by_handshake(m, &m->s->ops[send])) {
        pull_data(m, receive, send, now);
        return;
    }
    if (m->p->in_calls && in_call) {
        receive_in_call(m, receive, send, now);
        return;
    }
    if (m->p->in_calls) {
        m->links[receive] = send;
        tan_wait_idle(m, receive, now);
        return;
    }
    const bool waits = tan_must_wait(m, receive, now);
    if (waits || m->history != NULL || m->handshakes.complete != NULL) { /* otherwise never read */
        m->links[receive] = send;
    }
    if (!waits) {
        receive_from(m, receive, send, now);
    }
}
