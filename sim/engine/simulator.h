/* simulator.h - state of a running simulation; private to the simulator
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_SIMULATOR_H
#define TAN_SIM_ENGINE_SIMULATOR_H

#include <stddef.h>

#include "sim/engine/match.h"
#include "sim/engine/queue.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Event kind, in the two highest bits of tan_event.what; the rest is the operation. */
enum { READY, ARRIVED, RETRY, CONTROL, WHAT_SHIFT = 30 };
#define OP_MASK ((UINT32_C(1) << WHAT_SHIFT) - 1)

enum { CLASSES = 3 }; /* sends, receives, calculations, which wait for different resources */

/* A CPU and a NIC, and the operations waiting for them. Clocks of a CPU or NIC shared by several
 * ports are kept in the first of these. */
struct port {
    uint64_t cpu_free, send_free, receive_free;
    uint32_t waiting[CLASSES];
};

/* The last user of a CPU, or of a NIC in one direction, and a hash of all of them in order; for
 * histories only. */
struct user {
    uint64_t order;
    uint32_t op;
};
struct users {
    struct user cpu, send, receive;
};

/* `what` takes its turn. */
static inline void mix_order(struct user *user, uint64_t what)
{
    user->order = (user->order + what + 1) * UINT64_C(0x9e3779b97f4a7c15);
    user->order ^= user->order >> 29;
}

static inline void note_user(struct user *user, uint32_t op)
{
    mix_order(user, op);
    user->op = op;
}

struct simulator {
    const struct tan_schedule *s;
    const struct tan_sim_params *p;
    struct tan_op_state *states;
    struct tan_match *match;
    uint32_t *links; /* owned by the matcher; the partner of a matched receive or send */
    struct port *ports;
    uint32_t turn; /* the next one to be given */
    uint64_t events;
    uint32_t kept;    /* messages and posted receives without a match */
    bool same_links;  /* all messages have the link p->between */
    uint64_t put_off; /* events since one that was not postponed */
    bool late;        /* times exceed TAN_SIM_LATEST */
    bool notes_ends;  /* ends of operations matter for more than their dependents */

    struct {
        uint32_t *ops, n;
        size_t room;
    } released;  /* operations whose last dependency has just been met */
    bool failed; /* memory is short */
    struct tan_queue queue;

    struct {
        uint8_t *complete; /* per operation: a send whose handshake is complete */
        uint64_t *finish;  /* per rank: latest finish of an operation */
    } handshakes;          /* if there are any: transfers then go on while CPUs are free */

    struct tan_history *history;
    struct users *users; /* per port */

    struct {
        uint64_t *since; /* per rank: start of the current phase */
        struct tan_phase_time *time;
    } phases; /* if they are counted */
};

static inline uint32_t cpu_port(const struct tan_schedule *s, uint32_t port)
{
    return s->ports == NULL ? port : s->ports[port].cpu_port;
}

static inline uint32_t nic_port(const struct tan_schedule *s, uint32_t port)
{
    return s->ports == NULL ? port : s->ports[port].nic_port;
}

static inline struct port *cpu_of(struct simulator *m, uint32_t port)
{
    return &m->ports[cpu_port(m->s, port)];
}

static inline struct port *nic_of(struct simulator *m, uint32_t port)
{
    return &m->ports[nic_port(m->s, port)];
}

static inline int class_of(const struct tan_op *op)
{
    return (int)tan_op_kind(op) - 1;
}

/* When an operation's CPU and NIC are free. */
static inline uint64_t port_free(struct simulator *m, const struct tan_op *op)
{
    const uint32_t port = tan_op_port(op);
    const enum tan_op_kind kind = tan_op_kind(op);
    const uint64_t cpu = cpu_of(m, port)->cpu_free;
    const uint64_t nic = kind == TAN_OP_SEND   ? nic_of(m, port)->send_free
                         : kind == TAN_OP_RECV ? nic_of(m, port)->receive_free
                                               : 0;
    return cpu > nic ? cpu : nic;
}

static inline void push(struct simulator *m, uint64_t time, uint32_t turn, uint32_t op,
                        uint32_t what)
{
    m->late |= time > TAN_SIM_LATEST;
    tan_queue_push(&m->queue, (struct tan_event){time, turn, op | what << WHAT_SHIFT});
}

/* simulator.c */

/* m->s and m->p must be set, all else zero. */
int tan_simulator_init(struct simulator *m, bool history, struct tan_error *e);
void tan_simulator_clear(struct simulator *m);
/* Set out->rank_finish, finish, last_rank, phase and order at the end. */
int tan_finish_times(struct simulator *m, struct tan_simulation *out, struct tan_error *e);

/* resources.c */

/* Wait in its port's heap until its rank is idle. */
void tan_wait_idle(struct simulator *m, uint32_t op, uint64_t now);
/* Retry the first operation of a heap at `time`. */
void tan_push_retry(struct simulator *m, uint64_t time, uint32_t op);
/* Wait if a resource of the operation is busy at `now`; false if all are free. */
bool tan_must_wait(struct simulator *m, uint32_t op, uint64_t now);
/* Take the CPU from `now` to `until`, at the start of the operation. */
void tan_take_cpu(struct simulator *m, uint32_t op, uint64_t now, uint64_t until);
/* The same at a later stage of an operation. */
void tan_take_cpu_again(struct simulator *m, uint32_t op, uint64_t until);
/* Use `own` picoseconds of CPU time in addition to what is running; what follows is delayed. */
void tan_interrupt(struct simulator *m, uint32_t op, uint64_t now, uint64_t own);
/* Keep the operation's CPU busy until `until`. */
void tan_keep_cpu(struct simulator *m, uint32_t op, uint64_t until);
/* Take the NIC in the operation's direction. */
void tan_take_nic(struct simulator *m, uint32_t op, uint64_t until);

/* For histories: a receive is posted at `now`; an operation starts, before it takes its resources;
 * an operation is about to take its CPU again. */
void tan_note_posted(struct simulator *m, uint32_t receive, uint64_t now);
void tan_note_start(struct simulator *m, uint32_t op, uint64_t now);
void tan_note_again(struct simulator *m, uint32_t op, uint64_t now);
/* Data of a send after its handshake wait for the NIC. */
void tan_note_gap(struct simulator *m, uint32_t send);
/* Data after a handshake arrive at `arrive`, and are received from `begin` on, when the NIC is
 * free. */
void tan_note_data(struct simulator *m, uint32_t receive, uint64_t arrive, uint64_t begin);

/* dependencies.c */

/* The operation has started: release those waiting for its start. */
void tan_started(struct simulator *m, uint32_t op, uint64_t now);
/* The operation finishes at `time`: release those waiting for its finish. */
void tan_finished(struct simulator *m, uint32_t op, uint64_t time);
/* Give turns to the operations whose last dependency was met by the current event. */
void tan_release_all(struct simulator *m);

/* operations.c */

const struct tan_link *tan_link_of(const struct simulator *m, const struct tan_op *send);
/* Whether the send needs a handshake before its data. */
bool tan_by_handshake(const struct simulator *m, const struct tan_op *send);
/* Start the operation, whose CPU and NIC are free. */
void tan_start(struct simulator *m, uint32_t op, uint64_t now);
/* A message has matched a receive, which now waits for the CPU in its own turn. `in_call`: the
 * receive's own call finds the message. */
void tan_deliver(struct simulator *m, uint32_t receive, uint32_t send, bool in_call, uint64_t now);
/* The receiver has requested the data of a send (RTA). */
void tan_be_pulled(struct simulator *m, uint32_t op, uint64_t now);
/* Pulled or pushed data start to arrive at a receive after its handshake. */
void tan_arrive(struct simulator *m, uint32_t receive, uint64_t now);

#endif
