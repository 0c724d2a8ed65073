/* simulator.h - state of a simulation under way; private to the simulator
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_SIMULATOR_H
#define SIM_ENGINE_SIMULATOR_H

#include <stddef.h>

#include "sim/engine/feeding.h"
#include "sim/engine/match.h"
#include "sim/engine/queue.h"
#include "sim/engine/simulation.h"
#include "sim/engine/waiting.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Kind of an event, in the two highest bits of its number; the operation is in the others. */
enum { READY, ARRIVED, RETRY, CONTROL, WHAT_SHIFT = 30 };
#define OP_MASK ((UINT32_C(1) << WHAT_SHIFT) - 1)

enum { CLASSES = 3 }; /* sends, receives, calculations: they wait for different resources */

/* A CPU and a NIC, and the operations that wait for them. Clocks of a CPU (a NIC) that several
 * ports share are those of its first port. */
struct port {
    uint64_t cpu_free, send_free, receive_free;
    uint32_t waiting[CLASSES];
    uint32_t queued; /* messages that wait to be received, where that counts */
};

/* The last user of a resource; only for a history. */
struct user {
    uint32_t cpu, send, receive;
};

struct simulator {
    const struct tan_schedule *s;
    const struct tan_sim_params *p;
    struct feeding *feeding; /* NULL: the schedule is whole */
    struct tan_op_state *states;
    struct tan_match *match;
    uint32_t *links; /* the matcher's; of a matched receive or send: its partner */
    struct port *ports;
    uint32_t turn;
    uint64_t events;
    uint32_t kept; /* messages and receives that wait for each other */
    bool same_links;
    bool free_messages; /* they take no CPU time at either end */
    uint64_t put_off;   /* events since one that was not put off */
    bool late;          /* times have passed TAN_SIM_LATEST */
    bool notes_ends;    /* finishes matter to more than dependents */

    /* Operations whose last dependency has just been met */
    uint32_t *released;
    uint32_t n_released;
    size_t room_released;
    bool failed;
    struct tan_queue queue;

    /* Only with handshakes, where a transfer goes on while the CPUs are free */
    uint8_t *transferring; /* by operation: a send whose handshake is over; with control messages */
    uint64_t *complete;    /* by rank: the latest finish of an operation */

    /* Cores that ranks share; NULL when they do not */
    uint64_t *core_free;    /* hosts x p->cores */
    uint32_t *core_user;    /* the same, with a history */
    uint32_t *host_waiting; /* by host: heaps of operations that need a core */

    struct tan_history *history;
    struct user *users; /* by port */

    uint64_t *since; /* by rank, where phases are counted: when its phase began */
    double *phase_s;
};

/* An operation is over: nothing refers to it but events up to the time of its block's last one. */
static inline void let_go(struct simulator *m, uint32_t op)
{
    if (m->feeding != NULL) {
        m->feeding->blocks[m->feeding->ops[op].block].open--;
    }
}

static inline void let_go_both(struct simulator *m, uint32_t send, uint32_t receive)
{
    if (m->feeding != NULL) {
        let_go(m, send);
        let_go(m, receive);
    }
}

/* An event that names it is to come at `time`, maybe after it is over. */
static inline void hold(struct simulator *m, uint32_t op, uint64_t time)
{
    if (m->feeding != NULL) {
        uint64_t *latest = &m->feeding->blocks[m->feeding->ops[op].block].latest;
        *latest = time > *latest ? time : *latest;
    }
}

static inline struct port *cpu_of(struct simulator *m, uint32_t port)
{
    return &m->ports[m->s->ports == NULL ? port : m->s->ports[port].cpu_port];
}

static inline struct port *nic_of(struct simulator *m, uint32_t port)
{
    return &m->ports[m->s->ports == NULL ? port : m->s->ports[port].nic_port];
}

static inline int class_of(const struct tan_op *op)
{
    return (int)tan_op_kind(op) - 1;
}

/* Times at which an operation's CPU and NIC are free. */
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

static inline uint32_t host_of(struct simulator *m, const struct tan_op *op)
{
    return tan_sim_host(m->p, tan_port_rank(m->s, tan_op_port(op)));
}

static inline void push(struct simulator *m, uint64_t time, uint32_t turn, uint32_t op,
                        uint32_t what)
{
    m->late |= time > TAN_SIM_LATEST;
    tan_queue_push(&m->queue, (struct tan_event){time, turn, op | what << WHAT_SHIFT});
}

/* simulator.c */

/* m->s and m->p are set, all else is zero. */
int tan_simulator_init(struct simulator *m, bool history, struct tan_error *e);
void tan_simulator_clear(struct simulator *m);
int tan_finish_times(struct simulator *m, struct tan_simulation *out, struct tan_error *e);

/* blocks.c */

/* All of *f is zero. */
int tan_feeding_init(struct feeding *f, const struct tan_feed *feed, struct tan_error *e);
void tan_feeding_clear(struct feeding *f);
/* Load what can begin at once. */
void tan_feed_begin(struct simulator *m);
/* Load the next blocks of the ranks whose gates are among the operations just released. */
void tan_feed_released(struct simulator *m);
/* Count the operations that have not been loaded, at the end. */
int tan_feed_unloaded(struct feeding *f, uint64_t *n);
/* What is in the window, as a schedule of its own. *number: its operation for each of the window's.
 * The caller owns both. */
struct tan_schedule *tan_feed_rest(const struct feeding *f, uint32_t **number, struct tan_error *e);

/* resources.c */

/* Time at which a core of the operation's host is free; 0 where cores are not shared. */
uint64_t tan_core_free(struct simulator *m, const struct tan_op *op);
/* Wait in the heap of its port for a moment at which its rank has nothing else to do. */
void tan_wait_idle(struct simulator *m, uint32_t op, uint64_t now);
/* Try the first of a heap again at `time`. */
void tan_push_retry(struct simulator *m, uint64_t time, uint32_t op);
/* Wait in a heap, to be tried at `until` if it is the first. */
void tan_wait_in(struct simulator *m, uint32_t *heap, uint32_t op, uint64_t until);
/* Wait if a resource of the operation is not free at `now`; false: all are free. */
bool tan_must_wait(struct simulator *m, uint32_t op, uint64_t now);
/* Take the CPU, and a core of the host, from `now` to `until`, as the operation's start. */
void tan_take_cpu(struct simulator *m, uint32_t op, uint64_t now, uint64_t until);
/* The same for a later part of an operation. */
void tan_take_cpu_again(struct simulator *m, uint32_t op, uint64_t until);
/* Take `own` of the CPU whatever runs there: what comes next begins so much later. */
void tan_interrupt(struct simulator *m, uint32_t op, uint64_t now, uint64_t own);
/* Block the operation's CPU until `until`. */
void tan_keep_cpu(struct simulator *m, uint32_t op, uint64_t until);
/* Take the NIC, for sending or receiving as the operation is. */
void tan_take_nic(struct simulator *m, uint32_t op, uint64_t until);

/* With a history: a receive is posted at `now`; an operation starts, before it takes its resources;
 * one is about to take its CPU again. */
void tan_note_posted(struct simulator *m, uint32_t receive, uint64_t now);
void tan_note_start(struct simulator *m, uint32_t op, uint64_t now);
void tan_note_again(struct simulator *m, uint32_t op, uint64_t now);
/* The same of a send that waits for its NIC alone. */
void tan_note_gap(struct simulator *m, uint32_t send);

/* dependencies.c */

/* The operation has started: release those that wait for its start. */
void tan_started(struct simulator *m, uint32_t op, uint64_t now);
/* The operation finishes at `time`: release those that wait for that. */
void tan_finished(struct simulator *m, uint32_t op, uint64_t time);
/* Give a turn to the operations whose last dependency the event at hand has met. */
void tan_release_all(struct simulator *m);

/* operations.c */

const struct tan_link *tan_link_of(const struct simulator *m, const struct tan_op *send);
/* The send needs a handshake before its data travels. */
bool tan_by_handshake(const struct simulator *m, const struct tan_op *send);
/* The operation has its CPU and NIC. */
void tan_start(struct simulator *m, uint32_t op, uint64_t now);
/* A message has found its receive; from now on it waits for the CPU in its own turn. `in_call`: the
 * receive's own call finds it. */
void tan_deliver(struct simulator *m, uint32_t receive, uint32_t send, bool in_call, uint64_t now);
/* The receiver has asked for the data of a send (RTA). */
void tan_be_pulled(struct simulator *m, uint32_t op, uint64_t now);
/* Pulled or pushed data begins to arrive at a receive whose handshake is over. */
void tan_arrive(struct simulator *m, uint32_t receive, uint64_t now);

#endif
