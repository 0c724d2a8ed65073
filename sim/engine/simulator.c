/* simulator.c - state of a running simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/simulator.h"

#include <stdlib.h>
#include <string.h>

#include "sim/schedule/arrays.h"

void tan_simulator_clear(struct simulator *m)
{
    tan_match_destroy(m->match);
    tan_queue_clear(&m->queue);
    free(m->states);
    free(m->ports);
    free(m->released.ops);
    free(m->handshakes.complete);
    free(m->handshakes.finish);
    free(m->history);
    free(m->users);
    free(m->phases.since);
    free(m->phases.time);
}

static int create_history(struct simulator *m, struct tan_error *e)
{
    m->history = calloc((size_t)m->s->n_ops + 1, sizeof *m->history);
    m->users = malloc(((size_t)m->s->n_ports + 1) * sizeof *m->users);
    if (m->history == NULL || m->users == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < m->s->n_ports; i++) {
        const struct user none = {.op = TAN_OP_NONE};
        m->users[i] = (struct users){none, none, none};
    }
    for (uint32_t op = 0; op < m->s->n_ops; op++) {
        m->history[op] = (struct tan_history){.start = TAN_NEVER,
                                              .busy = TAN_NEVER,
                                              .end = TAN_NEVER,
                                              .wire = TAN_NEVER,
                                              .gap = TAN_OP_NONE,
                                              .cause = TAN_OP_NONE,
                                              .met_by = TAN_OP_NONE,
                                              .behind = TAN_OP_NONE,
                                              .match = TAN_OP_NONE};
    }
    return 0;
}

static int create_phases(struct simulator *m, struct tan_error *e)
{
    m->phases.since = calloc((size_t)m->s->ranks + 1, sizeof *m->phases.since);
    m->phases.time = calloc(TAN_PHASES, sizeof *m->phases.time);
    return m->phases.since == NULL || m->phases.time == NULL ? tan_fail_nomem(e) : 0;
}

int tan_simulator_init(struct simulator *m, bool history, struct tan_error *e)
{
    const struct tan_schedule *s = m->s;
    m->same_links = m->p->sizes == NULL && tan_link_equal(&m->p->within, &m->p->between);
    if ((m->match = tan_match_create(s, e)) == NULL) {
        return -1;
    }
    m->links = tan_match_links(m->match);
    m->states = malloc(((size_t)s->n_ops + 1) * sizeof *m->states);
    m->ports = malloc((size_t)s->n_ports * sizeof *m->ports);
    if (m->states == NULL || m->ports == NULL) {
        return tan_fail_nomem(e);
    }
    tan_use_big_pages(m->states, (size_t)s->n_ops * sizeof *m->states);
    tan_use_big_pages(m->ports, (size_t)s->n_ports * sizeof *m->ports);
    for (uint32_t op = 0; op < s->n_ops; op++) {
        m->states[op] = (struct tan_op_state){.pending = s->ops[op].requires};
    }
    for (uint32_t i = 0; i < s->n_ports; i++) {
        m->ports[i] = (struct port){.waiting = {TAN_OP_NONE, TAN_OP_NONE, TAN_OP_NONE}};
    }
    if (tan_sim_has_control(m->p) &&
        (m->handshakes.complete = calloc((size_t)s->n_ops + 1, sizeof *m->handshakes.complete)) ==
            NULL) {
        return tan_fail_nomem(e);
    }
    if (m->p->handshake != TAN_HANDSHAKE_NONE &&
        (m->handshakes.finish = calloc(s->ranks, sizeof *m->handshakes.finish)) == NULL) {
        return tan_fail_nomem(e);
    }
    if ((history && create_history(m, e) != 0) || (s->phases != NULL && create_phases(m, e) != 0)) {
        return -1;
    }
    m->notes_ends = history || m->handshakes.finish != NULL || s->phases != NULL;
    return 0;
}

/* Sums of hashes: each operation has its own CPU and NIC, so that none can change places. */
static uint64_t order_of(const struct simulator *m)
{
    uint64_t order = 0;
    for (uint32_t i = 0; m->users != NULL && i < m->s->n_ports; i++) {
        const struct users *u = &m->users[i];
        order += u->cpu.order + 3 * u->send.order + 5 * u->receive.order;
    }
    return order;
}

int tan_finish_times(struct simulator *m, struct tan_simulation *out, struct tan_error *e)
{
    const struct tan_schedule *s = m->s;
    if ((out->rank_finish = malloc(s->ranks * sizeof *out->rank_finish)) == NULL) {
        return tan_fail_nomem(e);
    }
    tan_use_big_pages(out->rank_finish, s->ranks * sizeof *out->rank_finish);
    memset(out->rank_finish, 0, s->ranks * sizeof *out->rank_finish);
    for (uint32_t i = 0; i < s->n_ports; i++) {
        uint64_t *finish = &out->rank_finish[tan_port_rank(s, i)];
        *finish = m->ports[i].cpu_free > *finish ? m->ports[i].cpu_free : *finish;
    }
    for (uint32_t r = 0; r < s->ranks; r++) {
        if (m->handshakes.finish != NULL && m->handshakes.finish[r] > out->rank_finish[r]) {
            out->rank_finish[r] = m->handshakes.finish[r];
        }
        if (out->rank_finish[r] > out->finish) {
            out->finish = out->rank_finish[r];
            out->last_rank = r;
        }
    }
    out->order = order_of(m);
    out->phase = m->phases.time;
    m->phases.time = NULL;
    return 0;
}
