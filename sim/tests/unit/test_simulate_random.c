/* test_simulate_random.c - simulated random schedules, against a direct implementation of the rules
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/engine/noise.h"
#include "sim/engine/simulation.h"
#include "sim/tests/unit/random_job.h"

/* The reference: one list of what is going to happen. The earliest is tried; what then finds
 * something busy goes back until that is free. */

enum step {
    BEGIN,   /* an operation was released */
    MESSAGE, /* a message, or the request of a handshake, is at the receiver */
    ANSWER,  /* the receiver's part of a handshake is back at the sender */
    DATA,    /* the data of a handshake begins to arrive */
    RECEIVE, /* a receive and its message have met */
};

struct thing {
    uint64_t time, turn;
    uint32_t op;
    enum step step;
};

struct list {
    struct thing thing[4 * OPS];
    uint32_t n;
};

struct mpi_reference {
    const struct job *job;
    struct list future, arrived, posted;
    uint64_t turns, events;
    uint64_t cpu[RANKS][UNITS], sending[RANKS][UNITS], receiving[RANKS][UNITS];
    uint32_t missing[OPS];
    uint64_t ready[OPS];             /* when the dependencies that are met were */
    uint64_t begun[OPS], ended[OPS]; /* TAN_NEVER: not */
    uint64_t busy[OPS];              /* when it leaves the CPU */
    uint32_t partner[OPS];
    uint32_t released[OPS], n_released; /* by the step under way */
    uint64_t turn[OPS];                 /* of a send: its message's */
};

static void append(struct list *list, struct thing thing)
{
    assert_true(list->n < sizeof list->thing / sizeof *list->thing);
    list->thing[list->n++] = thing;
}

static struct thing take(struct list *list, uint32_t i)
{
    const struct thing thing = list->thing[i];
    list->n--;
    memmove(&list->thing[i], &list->thing[i + 1], (list->n - i) * sizeof thing);
    return thing;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t for_bytes(double each, uint64_t bytes)
{
    return bytes == 0 ? 0 : (uint64_t)llround((double)(bytes - 1) * each);
}

static uint32_t host(const struct job *j, uint32_t rank)
{
    return j->p.host_of != NULL      ? j->host_of[rank]
           : j->p.ranks_per_host > 0 ? rank / j->p.ranks_per_host
                                     : rank;
}

static const struct tan_link *link_of(const struct job *j, uint32_t send)
{
    return host(j, j->rank[send]) == host(j, j->op[send].peer) ? &j->p.within : &j->p.between;
}

static bool shakes_hands(const struct job *j, uint32_t send)
{
    const bool control = j->p.handshake == TAN_HANDSHAKE_RAT || j->p.handshake == TAN_HANDSHAKE_RTA;
    return control && j->op[send].amount > j->p.S;
}

/* Dependencies */

static void met(struct mpi_reference *m, uint32_t on, enum tan_requires when, uint64_t time)
{
    const struct job *j = m->job;
    for (uint32_t i = 0; i < j->n_edges; i++) {
        if (j->edge[i].on == on && j->edge[i].when == when) {
            m->ready[j->edge[i].op] = later(m->ready[j->edge[i].op], time);
            if (--m->missing[j->edge[i].op] == 0) {
                m->released[m->n_released++] = j->edge[i].op;
            }
        }
    }
}

static void starts(struct mpi_reference *m, uint32_t op, uint64_t now)
{
    m->begun[op] = now;
    met(m, op, TAN_AFTER_START, now);
}

static void ends(struct mpi_reference *m, uint32_t op, uint64_t time)
{
    m->ended[op] = time;
    met(m, op, TAN_AFTER_FINISH, time);
}

/* What one step has released takes its turn: by rank; sends, receives, calculations. */
static void release(struct mpi_reference *m)
{
    const struct job *j = m->job;
    for (uint32_t rank = 0; rank < j->ranks; rank++) {
        for (enum tan_op_kind kind = TAN_OP_SEND; kind <= TAN_OP_CALC; kind++) {
            for (uint32_t i = 0; i < m->n_released; i++) {
                const uint32_t op = m->released[i];
                if (j->rank[op] == rank && j->op[op].kind == kind) {
                    /* A receive is posted by its CPU, as soon as what has that now is done. */
                    const uint64_t free = kind == TAN_OP_RECV ? m->cpu[rank][j->op[op].cpu] : 0;
                    append(&m->future, (struct thing){.time = later(m->ready[op], free),
                                                      .turn = m->turns++,
                                                      .op = op,
                                                      .step = BEGIN});
                }
            }
        }
    }
    m->events += m->n_released;
    m->n_released = 0;
}

/* CPUs, NICs */

static uint64_t *nic_of(struct mpi_reference *m, uint32_t op)
{
    const struct tan_op_spec *o = &m->job->op[op];
    uint64_t(*nics)[UNITS] = o->kind == TAN_OP_SEND ? m->sending : m->receiving;
    return &nics[m->job->rank[op]][o->nic];
}

/* True: the operation has to wait, and will be tried again. */
static bool waits(struct mpi_reference *m, struct thing thing)
{
    const struct job *j = m->job;
    const struct tan_op_spec *o = &j->op[thing.op];
    uint64_t free = m->cpu[j->rank[thing.op]][o->cpu];
    if (o->kind != TAN_OP_CALC) {
        free = later(free, *nic_of(m, thing.op));
    }
    if (free <= thing.time) {
        return false;
    }
    thing.time = free;
    append(&m->future, thing);
    return true;
}

static void occupy(struct mpi_reference *m, struct thing thing, uint64_t cost, uint64_t gap)
{
    const struct job *j = m->job;
    const struct tan_op_spec *o = &j->op[thing.op];
    m->busy[thing.op] = m->cpu[j->rank[thing.op]][o->cpu] = thing.time + cost;
    if (o->kind != TAN_OP_CALC) {
        *nic_of(m, thing.op) = thing.time + gap;
    }
}

/* Steps */

static void later_on(struct mpi_reference *m, uint64_t time, uint64_t turn, uint32_t op,
                     enum step step)
{
    append(&m->future, (struct thing){time, turn, op, step});
}

static uint64_t flight(const struct job *j, uint32_t send)
{
    return link_of(j, send)->L + (j->p.noise == NULL ? 0 : tan_noise_draw(j->p.noise, send));
}

static void calculate(struct mpi_reference *m, struct thing thing)
{
    const uint64_t cost = m->job->op[thing.op].amount;
    if (!waits(m, thing)) {
        starts(m, thing.op, thing.time);
        occupy(m, thing, cost, 0);
        ends(m, thing.op, thing.time + cost);
    }
}

static void send(struct mpi_reference *m, struct thing thing)
{
    const struct job *j = m->job;
    const uint64_t bytes = j->op[thing.op].amount;
    const struct tan_link *link = link_of(j, thing.op);
    const bool asks = shakes_hands(j, thing.op);
    const uint64_t cost = asks ? j->p.control : link->o + for_bytes(link->O, bytes);
    if (waits(m, thing)) {
        return;
    }
    starts(m, thing.op, thing.time);
    occupy(m, thing, cost, link->g + (asks ? 0 : for_bytes(link->G, bytes)));
    m->events++;
    m->turn[thing.op] = m->turns++;
    later_on(m, thing.time + (asks ? j->p.control + link->L : link->o + flight(j, thing.op)),
             m->turn[thing.op], thing.op, MESSAGE);
    if (bytes <= j->p.S) {
        ends(m, thing.op, thing.time + cost);
    }
}

/* A control message is dealt with at once; what comes next on the CPU begins later. */
static void interrupt(struct mpi_reference *m, struct thing thing, uint64_t cost)
{
    const struct job *j = m->job;
    uint64_t *cpu = &m->cpu[j->rank[thing.op]][j->op[thing.op].cpu];
    m->busy[thing.op] = *cpu = later(*cpu, thing.time) + cost;
}

/* The sender's second part of a pulled message, as soon as its NIC is free. */
static void be_pulled(struct mpi_reference *m, struct thing thing)
{
    const struct job *j = m->job;
    const uint64_t bytes = j->op[thing.op].amount;
    const struct tan_link *link = link_of(j, thing.op);
    uint64_t *nic = nic_of(m, thing.op);
    const uint64_t begins = later(*nic, thing.time);
    const uint64_t there = begins + j->p.control + flight(j, thing.op);
    interrupt(m, thing, j->p.control);
    *nic = begins + link->g + for_bytes(link->G, bytes);
    later_on(m, there, m->turns++, m->partner[thing.op], DATA);
}

/* The sender's second part of a pushed one. */
static void answer(struct mpi_reference *m, struct thing thing)
{
    const struct job *j = m->job;
    const uint64_t bytes = j->op[thing.op].amount;
    const struct tan_link *link = link_of(j, thing.op);
    const uint64_t dO = for_bytes(link->O, bytes), dG = for_bytes(link->G, bytes);
    const uint64_t until = j->p.control + link->o, cost = until + dO;
    struct thing again = thing;
    if (j->p.handshake == TAN_HANDSHAKE_RTA) {
        be_pulled(m, thing);
        return;
    }
    again.turn = m->turn[thing.op];
    if (waits(m, again)) {
        return;
    }
    occupy(m, thing, cost, link->g + dG);
    const uint64_t there = thing.time + until + flight(j, thing.op);
    later_on(m, there, m->turns++, m->partner[thing.op], DATA);
    ends(m, thing.op, thing.time + cost);
}

/* The receiver's NIC takes the data as soon as it is free. */
static void data(struct mpi_reference *m, struct thing thing)
{
    const uint32_t from = m->partner[thing.op];
    const struct tan_link *link = link_of(m->job, from);
    const uint64_t bytes = m->job->op[from].amount;
    const uint64_t dO = for_bytes(link->O, bytes), dG = for_bytes(link->G, bytes);
    uint64_t *nic = nic_of(m, thing.op);
    const uint64_t begins = later(*nic, thing.time);
    *nic = begins + link->g + dG;
    ends(m, thing.op, begins + later(dO, dG));
    if (m->job->p.handshake == TAN_HANDSHAKE_RTA) {
        ends(m, from, begins + later(dO, dG) + link->L);
    }
}

static void receive(struct mpi_reference *m, struct thing thing)
{
    const struct job *j = m->job;
    const uint32_t from = m->partner[thing.op];
    const struct tan_link *link = link_of(j, from);
    const uint64_t bytes = j->op[from].amount;
    const uint64_t dO = for_bytes(link->O, bytes), dG = for_bytes(link->G, bytes);
    const bool asked = shakes_hands(j, from);
    const uint64_t cost =
        asked ? 2 * j->p.control : link->o + (uint64_t)link->o_more + later(dO, dG);
    struct thing again = thing;
    again.turn = m->turn[from];
    if (waits(m, again)) {
        return;
    }
    occupy(m, thing, cost, link->g + (asked ? 0 : dG));
    if (asked) {
        later_on(m, thing.time + cost + link->L, m->turns++, from, ANSWER);
        return;
    }
    ends(m, thing.op, thing.time + cost);
    if (bytes > j->p.S) {
        const bool fetched = j->p.handshake == TAN_HANDSHAKE_FETCH;
        ends(m, from, later(thing.time + (fetched ? cost + link->L : 0), m->busy[from]));
    }
}

static void pull(struct mpi_reference *m, struct thing thing)
{
    const uint32_t from = m->partner[thing.op];
    const struct tan_link *link = link_of(m->job, from);
    const uint64_t cost = 2 * m->job->p.control + link->o;
    interrupt(m, thing, cost);
    *nic_of(m, thing.op) = later(*nic_of(m, thing.op), thing.time + link->g);
    later_on(m, thing.time + cost + link->L, m->turns++, from, ANSWER);
}

static void found(struct mpi_reference *m, uint32_t receiving, uint32_t from, uint64_t now)
{
    const struct job *j = m->job;
    struct thing thing = {now, m->turn[from], receiving, RECEIVE};
    m->partner[receiving] = from;
    m->partner[from] = receiving;
    if (j->p.handshake == TAN_HANDSHAKE_RTA && shakes_hands(j, from)) {
        pull(m, thing);
        return;
    }
    receive(m, thing);
}

static bool fits(const struct mpi_reference *m, uint32_t to, uint32_t from)
{
    const struct job *j = m->job;
    const struct tan_op_spec *r = &j->op[to], *s = &j->op[from];
    return j->rank[to] == s->peer && (r->peer == TAN_ANY_SOURCE || r->peer == j->rank[from]) &&
           (r->tag == TAN_ANY_TAG || s->tag == TAN_ANY_TAG || r->tag == s->tag);
}

static void message(struct mpi_reference *m, struct thing thing)
{
    for (uint32_t i = 0; i < m->posted.n; i++) {
        if (fits(m, m->posted.thing[i].op, thing.op)) {
            found(m, take(&m->posted, i).op, thing.op, thing.time);
            return;
        }
    }
    append(&m->arrived, thing);
}

static void post(struct mpi_reference *m, struct thing thing)
{
    starts(m, thing.op, thing.time);
    for (uint32_t i = 0; i < m->arrived.n; i++) {
        if (fits(m, thing.op, m->arrived.thing[i].op)) {
            found(m, thing.op, take(&m->arrived, i).op, thing.time);
            return;
        }
    }
    append(&m->posted, thing);
}

static void happen(struct mpi_reference *m, struct thing thing)
{
    static void (*const kinds[])(struct mpi_reference *, struct thing) = {
        [TAN_OP_SEND] = send, [TAN_OP_RECV] = post, [TAN_OP_CALC] = calculate};
    static void (*const steps[])(struct mpi_reference *, struct thing) = {
        [MESSAGE] = message, [ANSWER] = answer, [DATA] = data, [RECEIVE] = receive};
    if (thing.step == BEGIN) {
        kinds[m->job->op[thing.op].kind](m, thing);
    } else {
        steps[thing.step](m, thing);
    }
}

static bool before(const struct thing *a, const struct thing *b)
{
    return a->time != b->time ? a->time < b->time : a->turn < b->turn;
}

static void run_reference(struct mpi_reference *m)
{
    const struct job *j = m->job;
    for (uint32_t i = 0; i < j->n_edges; i++) {
        m->missing[j->edge[i].op]++;
    }
    for (uint32_t op = 0; op < j->n; op++) {
        m->begun[op] = m->ended[op] = TAN_NEVER;
        m->partner[op] = TAN_OP_NONE;
        if (m->missing[op] == 0) {
            m->released[m->n_released++] = op;
        }
    }
    release(m);
    while (m->future.n > 0) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < m->future.n; i++) {
            if (before(&m->future.thing[i], &m->future.thing[first])) {
                first = i;
            }
        }
        happen(m, take(&m->future, first));
        release(m);
    }
}

/* Comparison */

static uint64_t finish_of(const struct mpi_reference *m, uint32_t rank)
{
    uint64_t finish = 0;
    for (uint32_t op = m->job->first[rank]; op < m->job->first[rank + 1]; op++) {
        finish = later(finish, m->busy[op]);
        finish = later(finish, m->ended[op] == TAN_NEVER ? 0 : m->ended[op]);
    }
    return finish;
}

static bool is_unmatched(const struct mpi_reference *m, uint32_t op, enum tan_op_kind kind)
{
    return m->job->op[op].kind == kind && m->begun[op] != TAN_NEVER &&
           m->partner[op] == TAN_OP_NONE;
}

static bool is_unreceived(const struct mpi_reference *m, uint32_t op)
{
    return is_unmatched(m, op, TAN_OP_SEND);
}

static bool gets_nothing(const struct mpi_reference *m, uint32_t op)
{
    return is_unmatched(m, op, TAN_OP_RECV);
}

static bool is_blocked(const struct mpi_reference *m, uint32_t op)
{
    return m->begun[op] == TAN_NEVER;
}

static bool is_unfinished(const struct mpi_reference *m, uint32_t op)
{
    return m->job->op[op].kind == TAN_OP_SEND && m->begun[op] != TAN_NEVER &&
           m->ended[op] == TAN_NEVER;
}

/* `list` holds the operations that are so, and no others, in order. */
static void check_list(const struct mpi_reference *m, const uint32_t *list, uint32_t n,
                       bool (*is)(const struct mpi_reference *, uint32_t))
{
    uint32_t at = 0;
    for (uint32_t op = 0; op < m->job->n; op++) {
        if (is(m, op)) {
            assert_true(at < n);
            assert_int_equal(list[at++], op);
        }
    }
    assert_int_equal(at, n);
}

static void check_history(const struct mpi_reference *m, const struct tan_history *history)
{
    for (uint32_t op = 0; op < m->job->n; op++) {
        const struct tan_history *h = &history[op];
        assert_int_equal(h->match, m->partner[op]);
        assert_int_equal(h->end, m->ended[op]);
        if (m->begun[op] == TAN_NEVER) {
            assert_int_equal(h->start, TAN_NEVER);
        } else if (m->job->op[op].kind == TAN_OP_RECV) {
            assert_int_equal(h->ready, m->begun[op]);
        } else {
            assert_int_equal(h->start, m->begun[op]);
        }
    }
}

/* Returns whether everything has happened. */
static bool check_job(const struct job *j, struct mpi_reference *m)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = build(j);
    memset(m, 0, sizeof *m);
    m->job = j;
    run_reference(m);
    bool whole = true;
    for (int history = 0; history < 2; history++) {
        struct tan_simulation r;
        assert_int_equal(tan_simulate(s, &j->p, history, &r, &e), 0);
        uint64_t finish = 0;
        for (uint32_t rank = 0; rank < j->ranks; rank++) {
            assert_int_equal(r.rank_finish[rank], finish_of(m, rank));
            finish = later(finish, r.rank_finish[rank]);
        }
        assert_int_equal(r.finish, finish);
        assert_int_equal(r.rank_finish[r.last_rank], finish);
        assert_int_equal(r.events, m->events);
        check_list(m, r.unexpected, r.n_unexpected, is_unreceived);
        check_list(m, r.unmatched, r.n_unmatched, gets_nothing);
        check_list(m, r.blocked, r.n_blocked, is_blocked);
        check_list(m, r.unfinished, r.n_unfinished, is_unfinished);
        if (history) {
            check_history(m, r.history);
        }
        whole = r.n_unexpected + r.n_unmatched + r.n_blocked + r.n_unfinished == 0;
        tan_simulation_clear(&r);
    }
    tan_schedule_destroy(s);
    return whole;
}

/* Enough jobs of each sort end well, and enough do not. */
static void check_kind(struct kind kind)
{
    enum { JOBS = 1000, FEW = 100 };
    struct job *j = malloc(sizeof *j);
    struct mpi_reference *m = malloc(sizeof *m);
    assert_non_null(j);
    assert_non_null(m);
    uint32_t whole = 0;
    for (uint64_t seed = 1; seed <= JOBS; seed++) {
        make_job(j, &kind, seed);
        whole += check_job(j, m);
    }
    assert_in_range(whole, FEW, JOBS - FEW);
    free(j);
    free(m);
}

TEST(test_plain)
{
    check_kind((struct kind){.ties = true});
    check_kind((struct kind){.ties = false});
}

TEST(test_handshakes)
{
    check_kind((struct kind){.ties = true, .handshake = true});
    check_kind((struct kind){.ties = false, .handshake = true});
}

TEST(test_noise)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_noise *noise = tan_noise_parse("exponential:500ns", 7, &e);
    assert_no_error(e);
    check_kind((struct kind){.noise = noise, .handshake = true});
    tan_noise_destroy(noise);
}

RUN_TESTS(NULL, NULL)
