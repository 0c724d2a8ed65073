/* compatible.c - simulation that reproduces LogGOPSim's results exactly, and its output
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/loggopsim/compatible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/engine/match.h"
#include "sim/engine/queue.h"
#include "sim/loggopsim/event_heap.h"

/* LogGOPSim keeps one event queue ordered by (time, number). An operation or message that finds its
 * CPU or NIC busy is requeued with the time at which they become free and its old number; so with k
 * of them waiting for a CPU, each comes up k times. Here those waiting for the same clocks form a
 * queue ordered by number, and only its first is in the event queue, as a representative. This is
 * equivalent as long as clocks never go back: each waiting one then comes up next at (clocks, own
 * number), whenever it is requeued. If clocks may go back (times beyond 2^64, or messages of 0
 * bytes with negative cost), all are requeued one by one. */

enum { SOME_PLACES = 1 << 20 };

enum waits { SENDS, CALCS, MESSAGES, WAITS }; /* queues by the clocks they wait for */

#define MESSAGE (UINT32_C(1) << 31) /* flag in an event: the send's message instead of the send */
#define HANDLED UINT32_MAX

struct queue {
    uint64_t time;  /* of the representative in the event queue */
    uint32_t first; /* an operation or its message, + 1; 0: empty */
};

struct run {
    const struct tan_schedule *s;
    uint64_t L, o, g, G, O, S;
    struct {
        uint32_t cpus, nics; /* of a rank */
        uint64_t *free;      /* per rank: when its CPUs, send NICs and receive NICs become free */
    } clocks;
    bool queueing;
    struct queue *queues; /* by rank, CPU, NIC and kind of wait */
    uint32_t *missing;    /* per operation: unmet dependencies */
    /* Per operation. In a queue: a heap ordered by number. Otherwise `child` of an unmatched
     * message or receive is the number of unmatched ones before it, + 1, and else 0; `turn` of a
     * message is 0 before it waits and HANDLED afterwards. */
    struct tan_op_state *states;
    uint32_t *receivers; /* per channel */
    struct tan_match *match;
    struct {
        uint32_t *ops, n;
    } ready;                     /* operations released by the current event */
    uint32_t numbers, unmatched; /* counters */
    struct tan_event_heap events;
    struct tan_error *e;
};

/* The rank, CPU and NIC of an event. */
struct spot {
    uint32_t rank;
    uint8_t cpu, nic;
};

static struct spot spot_of(const struct run *r, uint32_t op)
{
    const uint32_t port = tan_op_port(&r->s->ops[op]);
    if (r->s->ports == NULL) {
        return (struct spot){.rank = port};
    }
    const struct tan_port *p = &r->s->ports[port];
    return (struct spot){.rank = p->rank, .cpu = (uint8_t)p->cpu, .nic = p->nic};
}

static uint64_t *cpu_clock(const struct run *r, struct spot at)
{
    return r->clocks.free + (size_t)at.rank * (r->clocks.cpus + 2 * r->clocks.nics) + at.cpu;
}

static uint64_t *send_clock(const struct run *r, struct spot at)
{
    return r->clocks.free + (size_t)at.rank * (r->clocks.cpus + 2 * r->clocks.nics) +
           r->clocks.cpus + at.nic;
}

static uint64_t *receive_clock(const struct run *r, struct spot at)
{
    return send_clock(r, at) + r->clocks.nics;
}

/* An operation or message that needs a CPU and possibly a NIC. */
struct claim {
    enum waits kind;
    struct spot at;
    uint64_t *cpu, *nic;
    struct queue *queue;
};

static struct claim claim_of(const struct run *r, uint32_t what)
{
    const uint32_t op = what & ~MESSAGE;
    const struct tan_op *o = &r->s->ops[op];
    struct claim c = {.at = spot_of(r, op)};
    if (what & MESSAGE) { /* uses the sender's CPU and NIC numbers */
        c.kind = MESSAGES;
        c.at.rank = r->receivers[o->channel];
        c.nic = receive_clock(r, c.at);
    } else if (tan_op_kind(o) == TAN_OP_SEND) {
        c.kind = SENDS;
        c.nic = send_clock(r, c.at);
    } else { /* needs no NIC */
        c.kind = CALCS;
        c.at.nic = 0;
        c.nic = cpu_clock(r, c.at);
    }
    c.cpu = cpu_clock(r, c.at);
    if (r->queueing) {
        const size_t place =
            ((size_t)c.at.rank * r->clocks.cpus + c.at.cpu) * r->clocks.nics + c.at.nic;
        c.queue = &r->queues[place * WAITS + c.kind];
    }
    return c;
}

static uint64_t free_at(const struct claim *c)
{
    return *c->cpu > *c->nic ? *c->cpu : *c->nic;
}

/* Put the first of a queue, if any, into the event queue, which invalidates any earlier
 * representative. */
static int represent_queue(struct run *r, const struct claim *c)
{
    if (!r->queueing || c->queue->first == 0) {
        return 0;
    }
    const uint32_t op = c->queue->first - 1;
    c->queue->time = free_at(c);
    return tan_heap_push(&r->events,
                         (struct tan_heap_event){.time = c->queue->time,
                                                 .number = r->states[op].turn,
                                                 .what = op | (c->kind == MESSAGES ? MESSAGE : 0)},
                         r->e);
}

/* Queue it until its clocks are free. */
static int wait_for(struct run *r, const struct claim *c, uint32_t what, uint32_t number)
{
    if (!r->queueing) {
        return tan_heap_push(
            &r->events, (struct tan_heap_event){.time = free_at(c), .number = number, .what = what},
            r->e);
    }
    const uint32_t op = what & ~MESSAGE;
    r->states[op].turn = number;
    c->queue->first = tan_waiting_add(r->states, c->queue->first - 1, op) + 1;
    return c->queue->first == op + 1 ? represent_queue(r, c) : 0;
}

/* Events */

static void advance_to(uint64_t *clock, uint64_t time)
{
    *clock = *clock > time ? *clock : time;
}

/* Meet a dependency on the start or finish of an operation. A send that finishes twice (see
 * finish_send) may take a count below 0, where it wraps, and nothing is released again. */
static void count_down(struct run *r, uint32_t op, uint32_t when)
{
    const struct tan_op *o = &r->s->ops[op];
    for (uint32_t i = o[0].dependents; i < o[1].dependents; i++) {
        const uint32_t to = r->s->dependents[i] & ~TAN_DEPENDENT_START;
        if ((r->s->dependents[i] & TAN_DEPENDENT_START) == when && --r->missing[to] == 0) {
            r->ready.ops[r->ready.n++] = to;
        }
    }
}

static void start_op(struct run *r, uint32_t op)
{
    if (r->s->ops[op].port & TAN_OP_STARTS) {
        count_down(r, op, TAN_DEPENDENT_START);
    }
}

static void finish_op(struct run *r, uint32_t op)
{
    count_down(r, op, 0);
}

/* A send that was not eager is matched at `time`, either by its message, which knows the actual
 * size, or by a receive, which uses its own size; so an eager send may finish twice, and a longer
 * one never. The clocks are those of the message or receive that matched. */
static void finish_send(struct run *r, uint32_t send, struct spot finder, uint64_t time)
{
    finder.rank = spot_of(r, send).rank;
    advance_to(cpu_clock(r, finder), time);
    advance_to(send_clock(r, finder), time);
    finish_op(r, send);
}

static void do_calc(struct run *r, const struct claim *c, uint32_t op, uint64_t time)
{
    *c->cpu = time + r->s->ops[op].amount / TAN_PS_PER_NS;
    start_op(r, op);
    finish_op(r, op);
}

static int do_send(struct run *r, const struct claim *c, uint32_t op, uint64_t time)
{
    const uint64_t size = r->s->ops[op].amount;
    *c->cpu = time + r->o + (size - 1) * r->O;
    *c->nic = time + r->g + (size - 1) * r->G;
    r->states[op] = (struct tan_op_state){0};
    start_op(r, op);
    if (size <= r->S) {
        finish_op(r, op);
    }
    return tan_heap_push_late(&r->events,
                              (struct tan_heap_event){.time = time + r->o + r->L,
                                                      .number = ++r->numbers,
                                                      .what = op | MESSAGE},
                              r->e);
}

static void do_message(struct run *r, const struct claim *c, uint32_t send, uint64_t time)
{
    const uint64_t size = r->s->ops[send].amount;
    const uint64_t bytes_cpu = (size - 1) * r->O, bytes_nic = (size - 1) * r->G;
    *c->cpu = time + r->o + (bytes_cpu > bytes_nic ? bytes_cpu : bytes_nic);
    *c->nic = time + r->g + bytes_nic;
    r->states[send] = (struct tan_op_state){.turn = HANDLED};
    const uint32_t receive = tan_match_message(r->match, send);
    if (receive == TAN_OP_NONE) {
        r->states[send].child = ++r->unmatched;
        return;
    }
    r->states[receive].child = 0;
    finish_op(r, receive);
    if (size > r->S) {
        finish_send(r, send, spot_of(r, send), time);
    }
}

static void do_receive(struct run *r, uint32_t op, uint64_t time)
{
    start_op(r, op);
    const uint32_t send = tan_match_receive(r->match, op);
    if (send == TAN_OP_NONE) {
        r->states[op].child = ++r->unmatched;
        return;
    }
    r->states[send].child = 0;
    finish_op(r, op);
    if (r->s->ops[op].amount > r->S) {
        finish_send(r, send, spot_of(r, op), time);
    }
}

static int release_one(struct run *r, uint32_t op)
{
    const uint32_t number = ++r->numbers;
    if (tan_op_kind(&r->s->ops[op]) == TAN_OP_RECV) { /* starts in its turn */
        const struct tan_heap_event event = {
            .time = *cpu_clock(r, spot_of(r, op)), .number = number, .what = op};
        return tan_heap_push(&r->events, event, r->e);
    }
    const struct claim c = claim_of(r, op);
    return wait_for(r, &c, op, number);
}

/* Start operations that have become ready: by rank, then sends, receives, calculations, then in
 * order of release. At most two ranks are involved. */
static int release_ready(struct run *r)
{
    uint32_t rank = UINT32_MAX, highest = 0;
    for (uint32_t i = 0; i < r->ready.n; i++) {
        const uint32_t of = spot_of(r, r->ready.ops[i]).rank;
        rank = of < rank ? of : rank;
        highest = of > highest ? of : highest;
    }
    for (uint32_t left = r->ready.n; left > 0; rank = highest) {
        for (enum tan_op_kind kind = TAN_OP_SEND; kind <= TAN_OP_CALC; kind++) {
            for (uint32_t i = 0; i < r->ready.n; i++) {
                const uint32_t op = r->ready.ops[i];
                if (tan_op_kind(&r->s->ops[op]) == kind && spot_of(r, op).rank == rank) {
                    left--;
                    if (release_one(r, op) < 0) {
                        return -1;
                    }
                }
            }
        }
    }
    r->ready.n = 0;
    return 0;
}

/* Process an operation or message, or let it wait further. `fresh`: it is not in a queue yet. */
static int come_up(struct run *r, struct tan_heap_event event, bool fresh)
{
    const uint32_t op = event.what & ~MESSAGE;
    if (event.what == op && tan_op_kind(&r->s->ops[op]) == TAN_OP_RECV) {
        do_receive(r, op, event.time);
        return release_ready(r);
    }
    const struct claim c = claim_of(r, event.what);
    if (!fresh && (c.queue->first != op + 1 || c.queue->time != event.time)) {
        return 0; /* superseded by another representative */
    }
    if (free_at(&c) > event.time) {
        return fresh ? wait_for(r, &c, event.what, event.number) : represent_queue(r, &c);
    }
    if (!fresh) {
        c.queue->first = tan_waiting_take(r->states, op) + 1;
    }
    if (c.kind == CALCS) {
        do_calc(r, &c, op, event.time);
    } else if (c.kind == MESSAGES) {
        do_message(r, &c, op, event.time);
    } else if (do_send(r, &c, op, event.time) < 0) {
        return -1;
    }
    return !fresh && represent_queue(r, &c) < 0 ? -1 : release_ready(r);
}

/* Operations without dependencies start at time 0, before everything else. */
static int begin_roots(struct run *r)
{
    const struct tan_schedule *s = r->s;
    for (uint32_t i = 0; i < s->n_ops; i++) {
        r->numbers += s->ops[i].requires == 0;
    }
    uint32_t number = 0;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        for (enum tan_op_kind kind = TAN_OP_SEND; kind <= TAN_OP_CALC; kind++) {
            for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
                const uint32_t op = s->first_op[rank] + i;
                if (s->ops[op].requires > 0 || tan_op_kind(&s->ops[op]) != kind) {
                    continue;
                }
                number++;
                if (come_up(r, (struct tan_heap_event){.number = number, .what = op}, true) < 0) {
                    return -1;
                }
            }
        }
    }
    return 0;
}

static int run_simulation(struct run *r)
{
    if (begin_roots(r) < 0) {
        return -1;
    }
    struct tan_heap_event event;
    while (tan_heap_take(&r->events, &event)) {
        const bool message = event.what & MESSAGE;
        const bool fresh = !r->queueing || (message && r->states[event.what & ~MESSAGE].turn == 0);
        if (come_up(r, event, fresh) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Initialisation and results */

static const char only_whole[] = "LogGOPSim counts whole nanoseconds only";

/* Convert a parameter to whole ns. Doubles are exact below 2^53. */
static int whole_ns(const char *name, double ps, uint64_t *ns, struct tan_error *e)
{
    if (!(ps >= 0 && ps < 0x1p53 && fmod(ps, TAN_PS_PER_NS) == 0)) {
        return tan_fail(e, "%s is %.12g ns: %s, and here at most 9e12", name, ps / TAN_PS_PER_NS,
                        only_whole);
    }
    *ns = (uint64_t)ps / TAN_PS_PER_NS;
    return 0;
}

static int whole_calcs(const struct tan_schedule *s, struct tan_error *e)
{
    for (uint32_t i = 0; i < s->n_ops; i++) {
        if (tan_op_kind(&s->ops[i]) == TAN_OP_CALC && s->ops[i].amount % TAN_PS_PER_NS != 0) {
            const uint32_t rank = tan_schedule_op_rank(s, i);
            return tan_fail(e, "operation %u of rank %u calculates for %" PRIu64 ".%03u ns: %s",
                            (unsigned)(i - s->first_op[rank] + 1), (unsigned)rank,
                            s->ops[i].amount / TAN_PS_PER_NS,
                            (unsigned)(s->ops[i].amount % TAN_PS_PER_NS), only_whole);
        }
    }
    return 0;
}

/* Whether no clock can go back. */
static bool clocks_advance(const struct run *r)
{
    const double byte = (double)(r->O > r->G ? r->O : r->G);
    const double message = (double)r->L + 2 * ((double)r->o + (double)r->g);
    double total = 0; /* upper bound for all clocks */
    for (uint32_t i = 0; i < r->s->n_ops; i++) {
        const struct tan_op *op = &r->s->ops[i];
        if (tan_op_kind(op) == TAN_OP_CALC) {
            total += (double)(op->amount / TAN_PS_PER_NS);
        } else if (tan_op_kind(op) == TAN_OP_SEND) {
            if (op->amount == 0 && (r->o < r->O || r->o < r->G || r->g < r->G)) {
                return false;
            }
            total += message + 4 * (double)op->amount * byte;
        }
    }
    return total < 0x1p63;
}

/* The number of CPUs that LogGOPSim gives each rank: their numbers are cut to 8 bits. */
static uint32_t cpus_of(const struct tan_schedule *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; s->ports != NULL && i < s->n_ports; i++) {
        const uint8_t cpu = (uint8_t)s->ports[i].cpu;
        most = cpu > most ? cpu : most;
    }
    return most + 1;
}

static int prepare_run(struct run *r, const struct tan_sim_params *p)
{
    const struct tan_schedule *s = r->s;
    const struct tan_link *link = &p->between;
    if (whole_ns("L", (double)link->L, &r->L, r->e) < 0 ||
        whole_ns("o", (double)link->o, &r->o, r->e) < 0 ||
        whole_ns("g", (double)link->g, &r->g, r->e) < 0 ||
        whole_ns("G", link->G, &r->G, r->e) < 0 || whole_ns("O", link->O, &r->O, r->e) < 0 ||
        whole_calcs(s, r->e) < 0) {
        return -1;
    }
    r->S = p->S;
    r->clocks.cpus = cpus_of(s);
    r->clocks.nics = s->nics + UINT32_C(1);
    const size_t clocks = (size_t)s->ranks * (r->clocks.cpus + 2 * r->clocks.nics);
    const size_t places = (size_t)s->ranks * r->clocks.cpus * r->clocks.nics;
    /* Limit the memory of the queues: with that many CPUs and NICs, few operations wait for the
     * same. */
    r->queueing = clocks_advance(r) && places <= SOME_PLACES + 4 * (size_t)s->n_ops;
    r->clocks.free = calloc(clocks, sizeof *r->clocks.free);
    r->queues = calloc(r->queueing ? places * WAITS : 1, sizeof *r->queues);
    r->missing = calloc((size_t)s->n_ops + 1, sizeof *r->missing);
    r->states = calloc((size_t)s->n_ops + 1, sizeof *r->states);
    r->receivers = calloc((size_t)s->n_channels + 1, sizeof *r->receivers);
    r->ready.ops = calloc((size_t)s->n_ops + 1, sizeof *r->ready.ops);
    if (r->clocks.free == NULL || r->queues == NULL || r->missing == NULL || r->states == NULL ||
        r->receivers == NULL || r->ready.ops == NULL) {
        return tan_fail_nomem(r->e);
    }
    for (uint32_t i = 0; i < s->n_ops; i++) {
        r->missing[i] = s->ops[i].requires;
    }
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        for (uint32_t c = s->first_channel[rank]; c < s->first_channel[rank + 1]; c++) {
            r->receivers[c] = rank;
        }
    }
    r->match = tan_match_create(s, r->e);
    return r->match == NULL ? -1 : 0;
}

static void clear_run(struct run *r)
{
    free(r->clocks.free);
    free(r->queues);
    free(r->missing);
    free(r->states);
    free(r->receivers);
    free(r->ready.ops);
    tan_match_destroy(r->match);
    tan_heap_clear(&r->events);
}

/* An unmatched message or receive. */
struct left {
    uint32_t rank, order, op; /* location, and the number left before it */
};

static int by_rank_and_order(const void *a, const void *b)
{
    const struct left *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->order > y->order) - (x->order < y->order);
}

/* List the messages (kind SEND) or receives that are left. */
static int list_left(const struct run *r, enum tan_op_kind kind, uint32_t **ops, uint32_t *n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->s->n_ops; i++) {
        count += r->states[i].child != 0 && tan_op_kind(&r->s->ops[i]) == kind;
    }
    struct left *left = calloc((size_t)count + 1, sizeof *left);
    *ops = calloc((size_t)count + 1, sizeof **ops);
    if (left == NULL || *ops == NULL) {
        free(left);
        return tan_fail_nomem(r->e);
    }
    for (uint32_t i = 0; i < r->s->n_ops; i++) {
        if (r->states[i].child != 0 && tan_op_kind(&r->s->ops[i]) == kind) {
            left[(*n)++] = (struct left){
                .rank = r->receivers[r->s->ops[i].channel],
                .order = r->states[i].child,
                .op = i,
            };
        }
    }
    qsort(left, *n, sizeof *left, by_rank_and_order);
    for (uint32_t i = 0; i < *n; i++) {
        (*ops)[i] = left[i].op;
    }
    free(left);
    return 0;
}

static int conclude_run(const struct run *r, struct tan_simulation *out,
                        struct tan_compatible_times *times)
{
    out->events = r->numbers;
    times->rank_ns = calloc(r->s->ranks, sizeof *times->rank_ns);
    if (times->rank_ns == NULL) {
        return tan_fail_nomem(r->e);
    }
    for (uint32_t rank = 0; rank < r->s->ranks; rank++) {
        const uint64_t *cpu = cpu_clock(r, (struct spot){.rank = rank});
        for (uint32_t c = 0; c < r->clocks.cpus; c++) {
            advance_to(&times->rank_ns[rank], cpu[c]);
        }
        if (times->rank_ns[rank] > times->last_ns) {
            times->last_ns = times->rank_ns[rank];
            out->last_rank = rank;
        }
    }
    return list_left(r, TAN_OP_SEND, &out->unexpected, &out->n_unexpected) < 0 ||
                   list_left(r, TAN_OP_RECV, &out->unmatched, &out->n_unmatched) < 0
               ? -1
               : 0;
}

int tan_simulate_compatible(const struct tan_schedule *s, const struct tan_sim_params *p,
                            struct tan_simulation *out, struct tan_compatible_times *times,
                            struct tan_error *e)
{
    struct run r = {.s = s, .e = e};
    *out = (struct tan_simulation){0};
    *times = (struct tan_compatible_times){0};
    const bool good =
        prepare_run(&r, p) == 0 && run_simulation(&r) == 0 && conclude_run(&r, out, times) == 0;
    clear_run(&r);
    if (!good) {
        tan_simulation_clear(out);
        tan_compatible_times_clear(times);
        return -1;
    }
    return 0;
}

void tan_compatible_times_clear(struct tan_compatible_times *times)
{
    free(times->rank_ns);
    *times = (struct tan_compatible_times){0};
}

static uint32_t host_of(const struct tan_schedule *s, uint32_t op)
{
    return tan_op_kind(&s->ops[op]) == TAN_OP_SEND ? tan_schedule_receiver(s, s->ops[op].channel)
                                                   : tan_schedule_op_rank(s, op);
}

/* Print the operations from `*at` on that belong to `host`, as one queue. */
static void print_queue(const struct tan_schedule *s, const char *name, const uint32_t *ops,
                        uint32_t n, uint32_t *at, uint32_t host, FILE *to)
{
    uint32_t end = *at;
    while (end < n && host_of(s, ops[end]) == host) {
        end++;
    }
    if (end > *at) {
        fprintf(to, "%s queue on host %" PRIu32 " contains %" PRIu32 " elements!\n", name, host,
                end - *at);
    }
    for (; *at < end; ++*at) {
        const struct tan_op_spec spec = tan_schedule_spec(s, ops[*at]);
        const uint32_t source =
            spec.kind == TAN_OP_SEND ? tan_schedule_op_rank(s, ops[*at]) : spec.peer;
        /* wildcards appear as -1 */
        fprintf(to, " src: %" PRId32 ", tag: %" PRId32 "\n", (int32_t)source, (int32_t)spec.tag);
    }
}

void tan_compatible_print(const struct tan_schedule *s, const struct tan_sim_params *p,
                          const struct tan_simulation *r, const struct tan_compatible_times *times,
                          FILE *to)
{
    const struct tan_link *link = &p->between;
    fprintf(to,
            "LogGP network backend; size: %" PRIu32 " (%" PRIu32 " CPUs, %d NICs); L=%" PRIu64
            ", o=%" PRIu64 " g=%" PRIu64 ", G=%" PRIu64 ", O=%" PRIu64 ", P=%" PRIu32 ", S=%" PRIu64
            "\n",
            s->ranks, cpus_of(s), s->nics + 1, link->L / TAN_PS_PER_NS, link->o / TAN_PS_PER_NS,
            link->g / TAN_PS_PER_NS, (uint64_t)link->G / TAN_PS_PER_NS,
            (uint64_t)link->O / TAN_PS_PER_NS, s->ranks, p->S);
    if (r->n_unexpected == 0 && r->n_unmatched == 0) {
        fprintf(to, "Times: \n");
        for (uint32_t host = 0; host < s->ranks; host++) {
            fprintf(to, "Host %" PRIu32 ": %" PRIu64 "\n", host, times->rank_ns[host]);
        }
        return;
    }
    uint32_t message = 0, receive = 0;
    for (uint32_t host = 0; host < s->ranks; host++) {
        print_queue(s, "unexpected", r->unexpected, r->n_unexpected, &message, host, to);
        print_queue(s, "receive", r->unmatched, r->n_unmatched, &receive, host, to);
    }
}
