/* critical_path.c - critical path of a simulated job, followed backwards from its end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/critical_path.h"

#include <stdlib.h>

#include "base/array.h"

const struct tan_path_part_info tan_path_parts[TAN_PATH_PARTS] = {
    [TAN_PART_L] = {"L", "messages on their way"},
    [TAN_PART_o] = {"o", "CPUs that send and receive messages"},
    [TAN_PART_g] = {"g", "NICs not yet ready for the next message"},
    [TAN_PART_G] = {"G", "bytes through NICs"},
    [TAN_PART_O] = {"O", "bytes through CPUs"},
    [TAN_PART_CALC] = {"calc", "calculation"},
    [TAN_PART_NOISE] = {"noise", "random delays"},
    [TAN_PART_CONTROL] = {"control", "CPUs in handshakes of long messages"},
    [TAN_PART_HANDSHAKE_L] = {"handshake_L", "latency of handshakes of long messages"},
    [TAN_PART_WAITING] = {"waiting", "other waiting for a CPU"},
};

/* The event of an operation that the path goes through. */
enum until {
    UNTIL_BEGIN,   /* none: start of the job */
    UNTIL_POSTED,  /* posting of a receive */
    UNTIL_START,   /* its start */
    UNTIL_CPU,     /* leaving the CPU */
    UNTIL_FINISH,  /* its finish */
    UNTIL_GAP,     /* its NIC becoming free */
    UNTIL_REQUEST, /* arrival of its request: a send with a handshake */
    UNTIL_ARRIVAL, /* arrival of its message */
};

/* A point on the path from which the walk continues. */
struct place {
    uint32_t op;
    enum until until;
    uint64_t time;
};

struct walk {
    const struct tan_schedule *schedule;
    const struct tan_sim_params *params;
    const struct tan_history *history;
    struct tan_critical_path *path;
    bool weighed; /* its steps are only counted, and visited if `visit` is not NULL */
    tan_path_visit *visit;
    void *context;

    /* The current step: its time is accounted for from its end back to `at`. */
    struct tan_path_step step;
    uint64_t at;
    bool wrong; /* more time was spent than there is */
};

static void spend_time(struct walk *w, enum tan_path_part part, uint64_t amount)
{
    w->wrong |= amount > w->at;
    w->step.part[part] += amount;
    w->at -= amount;
}

static void spend_latency(struct walk *w, enum tan_path_part part, const struct tan_link *link)
{
    spend_time(w, part, link->L);
    w->path->weights.L++;
}

static void spend_overhead(struct walk *w, const struct tan_link *link)
{
    spend_time(w, TAN_PART_o, link->o);
    w->path->weights.o++;
}

/* Back to `time`, up to one latency of it on the way of a handshake's message. */
static void spend_answer(struct walk *w, const struct tan_link *link, uint64_t time)
{
    const uint64_t all = w->at > time ? w->at - time : 0;
    spend_time(w, TAN_PART_HANDSHAKE_L, all < link->L ? all : link->L);
    w->path->weights.L++;
    spend_time(w, TAN_PART_CONTROL, w->at - time);
}

static void spend_back_to(struct walk *w, enum tan_path_part part, uint64_t time)
{
    spend_time(w, part, w->at - time);
}

/* Times shared by a send and its receive. */
struct message {
    const struct tan_link *link;
    uint64_t G, O;  /* for its bytes */
    uint64_t bytes; /* of those, how many cost G */
    bool handshake;
    bool pulled;
    bool fetched; /* its send ends with the receiver's acknowledgement */
};

static struct message message_of(const struct walk *w, uint32_t send)
{
    const struct tan_schedule *s = w->schedule;
    const struct tan_op *op = &s->ops[send];
    const struct tan_link *link = tan_sim_link(w->params, tan_schedule_op_rank(s, send),
                                               tan_schedule_receiver(s, op->channel), op->amount);
    return (struct message){
        .link = link,
        .G = tan_bytes_cost(link->G, op->amount),
        .O = tan_bytes_cost(link->O, op->amount),
        .bytes = op->amount > 1 ? op->amount - 1 : 0,
        .handshake = tan_sim_has_control(w->params) && op->amount > w->params->S,
        .pulled = w->params->handshake == TAN_HANDSHAKE_RTA,
        .fetched = w->params->handshake == TAN_HANDSHAKE_FETCH && op->amount > w->params->S,
    };
}

static void count_bytes(struct walk *w, const struct message *m)
{
    w->path->weights.G += m->bytes;
    w->path->weights.sizes += m->bytes > 0;
}

static void spend_bytes(struct walk *w, const struct message *m)
{
    spend_time(w, TAN_PART_G, m->G);
    count_bytes(w, m);
}

/* A sender that is busy until its data have arrived. */
static void spend_held(struct walk *w, const struct message *m)
{
    if (m->link->held) {
        spend_latency(w, TAN_PART_L, m->link);
        if (m->G > m->O) {
            spend_time(w, TAN_PART_G, m->G - m->O);
            count_bytes(w, m);
        }
    }
}

/* The event of `cause` that made others wait until `time`: the latest one before. */
static struct place cause_at(const struct walk *w, uint32_t cause, uint64_t time)
{
    const struct tan_history *h = &w->history[cause];
    const enum tan_op_kind kind = tan_op_kind(&w->schedule->ops[cause]);
    const bool requests = kind == TAN_OP_SEND && message_of(w, cause).handshake;
    const struct place did[] = {
        {cause, UNTIL_FINISH, h->end},
        {cause, UNTIL_CPU, h->busy},
        {cause, UNTIL_CPU, requests ? h->start + w->params->control : TAN_NEVER},
        {cause, UNTIL_START, h->start},
        {cause, UNTIL_POSTED, h->ready},
    };
    size_t latest = kind == TAN_OP_RECV ? 4 : 3;
    for (size_t i = latest; i-- > 0;) {
        latest = did[i].time <= time && did[i].time >= did[latest].time ? i : latest;
    }
    return did[latest];
}

/* The end of the step before an operation's start. */
static struct place before_start(const struct walk *w, uint32_t op)
{
    const struct tan_history *h = &w->history[op];
    if (h->cause == TAN_OP_NONE) {
        return (struct place){op, UNTIL_BEGIN, 0};
    }
    if (h->why == TAN_WHY_GAP) {
        return (struct place){h->cause, UNTIL_GAP, h->start};
    }
    if (h->why == TAN_WHY_MESSAGE) {
        return (struct place){
            h->cause, message_of(w, h->cause).handshake ? UNTIL_REQUEST : UNTIL_ARRIVAL, h->start};
    }
    return cause_at(w, h->cause, h->start);
}

/* The same before it was posted. */
static struct place before_posted(const struct walk *w, uint32_t op)
{
    const struct tan_history *h = &w->history[op];
    return h->met_by == TAN_OP_NONE ? (struct place){op, UNTIL_BEGIN, 0}
                                    : cause_at(w, h->met_by, h->ready);
}

/* A send's data leave when its receiver's answer has arrived and its resources are free. */
static struct place before_transfer(struct walk *w, uint32_t send, const struct message *m)
{
    const struct tan_history *h = &w->history[send];
    const struct tan_history *r = &w->history[h->match];
    const uint64_t pulling = 2 * w->params->control + m->link->o;
    const uint64_t answered = m->pulled ? r->start + pulling : r->busy;
    if (w->at > answered + m->link->L && h->met_by != TAN_OP_NONE) {
        w->step.why = TAN_WHY_CPU;
        const struct place cause = cause_at(w, h->met_by, w->at);
        return cause.time == w->at ? cause : (struct place){h->met_by, UNTIL_GAP, w->at};
    }
    w->step.why = TAN_WHY_MESSAGE;
    spend_answer(w, m->link, answered);
    return (struct place){h->match, UNTIL_CPU, answered};
}

/* The receiver's acknowledgement ends a send: after `delivered`, or at its measured time before,
 * while the receiver is still taking the data. */
static struct place before_acknowledged(struct walk *w, const struct message *m,
                                        struct place delivered)
{
    w->step.why = TAN_WHY_MESSAGE;
    if (delivered.time > w->at) {
        delivered.until = UNTIL_START;
        delivered.time = w->history[delivered.op].start;
    }
    spend_answer(w, m->link, delivered.time);
    return delivered;
}

/* Whether the point is the end of CPU time that is charged after another operation's. */
static bool is_behind(const struct tan_history *h, const struct place *p)
{
    return p->until == UNTIL_CPU && h->behind != TAN_OP_NONE && p->time == h->busy;
}

/* One step back from a send with a handshake. */
static struct place before_handshake(struct walk *w, const struct place *p, const struct message *m)
{
    const struct tan_history *h = &w->history[p->op];
    const struct tan_history *r = &w->history[h->match];
    const uint64_t control = w->params->control;
    if (p->until == UNTIL_REQUEST) {
        spend_latency(w, TAN_PART_HANDSHAKE_L, m->link);
        spend_time(w, TAN_PART_CONTROL, control);
        return before_start(w, p->op);
    }
    if (p->until == UNTIL_CPU && p->time == h->start + control) {
        spend_time(w, TAN_PART_CONTROL, control);
        return before_start(w, p->op);
    }
    if (p->until == UNTIL_GAP && p->time == h->start + m->link->g) {
        spend_time(w, TAN_PART_g, m->link->g);
        return before_start(w, p->op);
    }
    if (p->until == UNTIL_FINISH && m->pulled) {
        return before_acknowledged(w, m, (struct place){h->match, UNTIL_FINISH, r->end});
    }
    if (is_behind(h, p)) {
        spend_time(w, TAN_PART_CONTROL, control);
        return cause_at(w, h->behind, w->at);
    }
    if (p->until == UNTIL_GAP) {
        spend_time(w, TAN_PART_g, m->link->g);
        spend_bytes(w, m);
    } else {
        if (p->until == UNTIL_ARRIVAL) {
            spend_time(w, TAN_PART_NOISE, h->noise);
            spend_latency(w, TAN_PART_L, m->link);
        } else if (!m->pulled) {
            spend_held(w, m);
            spend_time(w, TAN_PART_O, m->O);
        }
        if (!m->pulled) {
            spend_overhead(w, m->link);
        }
        spend_time(w, TAN_PART_CONTROL, control);
    }
    return before_transfer(w, p->op, m);
}

static struct place before_send(struct walk *w, const struct place *p)
{
    const struct tan_history *h = &w->history[p->op];
    const struct message m = message_of(w, p->op);
    /* A rendezvous send may end before its CPU has processed all bytes, or later. */
    const bool matched = p->until == UNTIL_FINISH && p->time != h->busy;
    if (m.handshake) {
        return before_handshake(w, p, &m);
    }
    if (matched && m.fetched) {
        return before_acknowledged(w, &m,
                                   (struct place){h->match, UNTIL_CPU, w->history[h->match].busy});
    }
    if (matched && w->history[h->match].why != TAN_WHY_MESSAGE) {
        w->step.why = TAN_WHY_POSTED;
        return (struct place){h->match, UNTIL_START, p->time};
    }
    if (matched || p->until == UNTIL_ARRIVAL) {
        spend_time(w, TAN_PART_NOISE, h->noise);
        spend_latency(w, TAN_PART_L, m.link);
        spend_overhead(w, m.link);
    } else if (p->until == UNTIL_GAP) {
        spend_time(w, TAN_PART_g, m.link->g);
        spend_bytes(w, &m);
    } else {
        spend_held(w, &m);
        spend_time(w, TAN_PART_O, m.O);
        spend_overhead(w, m.link);
    }
    return before_start(w, p->op);
}

/* The data of a handshake begin when they are there and the NIC is free. */
static struct place before_data(struct walk *w, const struct tan_history *h)
{
    w->step.why = h->gap == TAN_OP_NONE ? TAN_WHY_MESSAGE : TAN_WHY_GAP;
    return h->gap == TAN_OP_NONE ? (struct place){h->match, UNTIL_ARRIVAL, h->wire}
                                 : (struct place){h->gap, UNTIL_GAP, h->wire};
}

static struct place before_receive(struct walk *w, const struct place *p)
{
    const struct tan_history *h = &w->history[p->op];
    const struct message m = message_of(w, h->match);
    if (p->until == UNTIL_GAP) {
        const bool requested = m.handshake && p->time == h->start + m.link->g;
        spend_time(w, TAN_PART_g, m.link->g);
        if (!requested) {
            spend_bytes(w, &m);
        }
        return m.handshake && !requested ? before_data(w, h) : before_start(w, p->op);
    }
    if (p->until == UNTIL_FINISH || !m.handshake) {
        if (m.G > m.O) {
            spend_bytes(w, &m);
        } else {
            spend_time(w, TAN_PART_O, m.O);
        }
        if (m.handshake) {
            return before_data(w, h);
        }
    }
    spend_time(w, TAN_PART_CONTROL, m.handshake ? 2 * w->params->control : 0);
    if (is_behind(h, p)) {
        spend_overhead(w, m.link);
        return cause_at(w, h->behind, w->at);
    }
    w->path->weights.o += m.handshake ? m.pulled : 1;
    spend_back_to(w, TAN_PART_o, h->start);
    return before_start(w, p->op);
}

static struct place before_calc(struct walk *w, const struct place *p)
{
    spend_back_to(w, TAN_PART_CALC, w->history[p->op].start);
    return before_start(w, p->op);
}

static int fail_inconsistent(uint32_t op, struct tan_error *e)
{
    return tan_fail(e, "the history of operation %u does not agree with itself", (unsigned)op);
}

/* Add the step that ends at *at, and move to its start. Returns 1 if there is one before it. */
static int step_back(struct walk *w, struct place *at, struct tan_error *e)
{
    static struct place (*const before_kind[])(struct walk *, const struct place *) = {
        [TAN_OP_SEND] = before_send, [TAN_OP_RECV] = before_receive, [TAN_OP_CALC] = before_calc};
    struct tan_critical_path *path = w->path;
    if (!w->weighed && TAN_ONE_MORE(path->steps, path->n_steps) < 0) {
        return tan_fail_nomem(e);
    }
    w->step = (struct tan_path_step){.op = at->op, .why = w->history[at->op].why, .to = at->time};
    w->at = at->time;
    const struct tan_path_weights weights = path->weights;
    const enum tan_op_kind kind = tan_op_kind(&w->schedule->ops[at->op]);
    const struct place before = at->until == UNTIL_POSTED  ? before_posted(w, at->op)
                                : at->until == UNTIL_START ? before_start(w, at->op)
                                                           : before_kind[kind](w, at);
    if (w->wrong || before.time > w->at || path->n_steps > 3 * (size_t)w->schedule->n_ops) {
        return fail_inconsistent(at->op, e);
    }
    spend_back_to(w, TAN_PART_WAITING, before.time);
    w->step.from = before.time;
    if (!w->weighed) {
        path->steps[path->n_steps] = w->step;
    } else if (w->visit != NULL) {
        w->visit(w->context, &w->step, path->weights.L - weights.L);
    }
    path->n_steps++;
    const bool more = before.until != UNTIL_BEGIN;
    *at = before;
    return more;
}

/* End of an operation, including its CPU time. */
static uint64_t end_of(const struct tan_history *h)
{
    return h->end > h->busy ? h->end : h->busy;
}

/* The operation that ends last; among equals the last one of the last rank. */
static uint32_t last_op(const struct tan_schedule *s, const struct tan_simulation *r)
{
    uint32_t last = s->first_op[r->last_rank];
    const uint32_t end = last + s->rank_ops[r->last_rank];
    for (uint32_t op = last; op < end; op++) {
        last = end_of(&r->history[op]) >= end_of(&r->history[last]) ? op : last;
    }
    return last;
}

/* Follow the path of `simulation`; its steps are in reverse order. */
static int walk_back(struct walk *w, const struct tan_simulation *simulation, struct tan_error *e)
{
    const struct tan_schedule *s = w->schedule;
    *w->path = (struct tan_critical_path){.finish = simulation->finish};
    if (simulation->n_blocked + simulation->n_unmatched + simulation->n_unfinished > 0) {
        return tan_fail(e, "a job that never finishes has no critical path");
    }
    if (s->n_ops > 0 && simulation->history == NULL) {
        return tan_fail(e, "a critical path needs a simulation with a history");
    }
    if (s->n_ops == 0 || s->rank_ops[simulation->last_rank] == 0) {
        return 0; /* nothing takes time */
    }
    struct place at = cause_at(w, last_op(s, simulation), simulation->finish);
    int more = at.time == simulation->finish ? 1 : fail_inconsistent(at.op, e);
    while (more == 1) {
        more = step_back(w, &at, e);
    }
    return more;
}

int tan_critical_path_visit(const struct tan_schedule *s, const struct tan_sim_params *p,
                            const struct tan_simulation *simulation, tan_path_visit *visit,
                            void *context, struct tan_path_weights *out, struct tan_error *e)
{
    struct tan_critical_path path;
    struct walk w = {.schedule = s,
                     .params = p,
                     .history = simulation->history,
                     .path = &path,
                     .weighed = true,
                     .visit = visit,
                     .context = context};
    const int result = walk_back(&w, simulation, e);
    *out = path.weights;
    return result;
}

int tan_critical_path(const struct tan_schedule *s, const struct tan_sim_params *p,
                      const struct tan_simulation *simulation, struct tan_critical_path *out,
                      struct tan_error *e)
{
    struct walk w = {.schedule = s, .params = p, .history = simulation->history, .path = out};
    if (walk_back(&w, simulation, e) < 0) {
        tan_critical_path_clear(out);
        return -1;
    }
    for (size_t i = 0; i < out->n_steps / 2; i++) {
        const size_t j = out->n_steps - 1 - i;
        const struct tan_path_step step = out->steps[i];
        out->steps[i] = out->steps[j];
        out->steps[j] = step;
    }
    for (size_t i = 0; i < out->n_steps; i++) {
        for (int part = 0; part < TAN_PATH_PARTS; part++) {
            out->part[part] += out->steps[i].part[part];
        }
    }
    return 0;
}

void tan_critical_path_clear(struct tan_critical_path *path)
{
    free(path->steps);
    *path = (struct tan_critical_path){0};
}
