/* trace_program.c - calls of one rank as operations of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/schedule/arrays.h"

/* A program that only waits does less than this between unsuccessful tests. */
enum { POLL_NS = 5000 };

/* A message from the point of view of its rank. */
struct post {
    uint32_t comm; /* index into job->comms */
    int64_t peer, tag;
    uint64_t bytes;
    bool receives;
};

/* A persistent send or receive. */
struct persistent {
    uint64_t request;
    uint32_t start; /* number of its last start, counting all starts of the rank */
    struct post post;
};

/* A wildcard receive that has not been matched yet. */
struct open_receive {
    uint32_t op, comm;
};

/* Position of a thread of the program. */
struct sequence {
    uint32_t anchor; /* operation that the next one depends on; TAN_OP_NONE: none */
    enum tan_requires when;
    uint32_t also;  /* operation whose end it depends on, too; TAN_OP_NONE: none */
    int64_t last;   /* end of the previous call, nanoseconds */
    bool polling;   /* the previous call was an unsuccessful test */
    int64_t polled; /* nanoseconds in and between a series of these */
    int64_t tested; /* part of it in the tests */
};

struct trace_program {
    struct trace_job *job;
    struct tan_trace_rank *own; /* counters */
    uint32_t rank;
    const char *path;
    uint32_t line;
    struct tan_error *e;

    struct trace_comm_numbers comms;
    struct tan_map requests; /* request -> operation that completes it */
    struct {
        struct tan_map at; /* request -> index in the list */
        struct open_receive *list;
        uint32_t n, room;
    } open;
    struct {
        struct persistent *list;
        size_t n;
        uint32_t starts;
    } persistent;
    struct {
        uint64_t *out, *in;
        uint32_t room;
    } bytes; /* for and from each rank */

    uint32_t ops;
    struct sequence now;      /* of the current thread */
    struct sequence started;  /* position of all threads after MPI_Init */
    struct sequence *threads; /* of the others (that of `thread` is outdated); NULL: only one */
    uint32_t thread, n_threads;
    bool began, ended;
};

static int fail_line(struct trace_program *p, const char *problem)
{
    return tan_fail_at(p->e, p->path, (int)p->line, 0, "%s", problem);
}

void tan_trace_job_clear(struct trace_job *job)
{
    tan_trace_comms_clear(&job->comms);
    tan_map_clear(&job->tags);
    tan_map_clear(&job->cancelled);
}

/* Operations */

static int add_op(struct trace_program *p, const struct tan_op_spec *spec, uint32_t *index)
{
    if (tan_schedule_add(p->job->builder, spec, 0, index, p->e) < 0) {
        return tan_error_locate(p->e, p->path, (int)p->line, 0);
    }
    p->ops = *index + 1;
    return 0;
}

static int wait_for(struct trace_program *p, uint32_t index, uint32_t on, enum tan_requires when)
{
    return on == TAN_OP_NONE ? 0 : tan_schedule_require(p->job->builder, index, on, when, p->e);
}

/* Append an operation that depends on everything before it. */
static int append_op(struct trace_program *p, const struct tan_op_spec *spec, uint32_t *index)
{
    return add_op(p, spec, index) < 0 || wait_for(p, *index, p->now.anchor, p->now.when) < 0
               ? -1
               : wait_for(p, *index, p->now.also, TAN_AFTER_FINISH);
}

static void go_on_after(struct trace_program *p, uint32_t index, enum tan_requires when)
{
    p->now.anchor = index;
    p->now.when = when;
    p->now.also = TAN_OP_NONE;
}

/* Mark everything since operation `from` as belonging to this phase. Its time counts in the first
 * thread. */
static int mark_phase(struct trace_program *p, uint32_t from, uint32_t phase)
{
    const bool counts = p->ops > from && p->thread == 0;
    for (uint32_t i = from; i < p->ops; i++) {
        if (tan_schedule_mark(p->job->builder, i, (uint16_t)(phase | TAN_PHASE_PART), p->e) < 0) {
            return -1;
        }
    }
    return counts ? tan_schedule_mark(
                        p->job->builder, p->now.anchor,
                        (uint16_t)(phase | (p->now.when == TAN_AFTER_START ? TAN_PHASE_STARTS : 0)),
                        p->e)
                  : 0;
}

/* Append a calculation, even an empty one. */
static int append_even_empty(struct trace_program *p, uint64_t picoseconds)
{
    const struct tan_op_spec spec = {.kind = TAN_OP_CALC, .amount = picoseconds};
    uint32_t index;
    if (append_op(p, &spec, &index) < 0) {
        return -1;
    }
    go_on_after(p, index, TAN_AFTER_FINISH);
    return 0;
}

static int append_calculation(struct trace_program *p, uint64_t picoseconds)
{
    return picoseconds == 0 ? 0 : append_even_empty(p, picoseconds);
}

/* More than a schedule can hold remains so, without wrapping. */
static uint64_t picoseconds_of(int64_t ns)
{
    const uint64_t most = TAN_SCHEDULE_MAX_PS / TAN_PS_PER_NS;
    return (uint64_t)ns > most ? TAN_SCHEDULE_MAX_PS + 1 : (uint64_t)ns * TAN_PS_PER_NS;
}

/* Computation between two calls. */
static int add_computation(struct trace_program *p, int64_t ns)
{
    const uint32_t first = p->ops;
    return append_calculation(p, picoseconds_of(ns)) < 0
               ? -1
               : mark_phase(p, first, TAN_TRACE_COMPUTATION);
}

/* An empty calculation that depends on the operations from `from` on, and on everything before. */
static int join_ops(struct trace_program *p, uint32_t from, uint32_t *joined)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    const uint32_t to = p->ops;
    if (append_op(p, &nothing, joined) < 0) {
        return -1;
    }
    for (uint32_t i = from; i < to; i++) {
        if (wait_for(p, *joined, i, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Communicators */

static const struct trace_comm *comm_of(struct trace_program *p, const struct trace_event *event,
                                        uint32_t *place)
{
    *place = tan_trace_map_find(&p->comms.place, (uint64_t)event->comm.number);
    /* liballprof does not record communicators: one with all ranks must be the world */
    if (*place == TRACE_MAP_NONE && event->comm.size == p->job->ranks &&
        tan_trace_map_set(&p->comms.place, (uint64_t)event->comm.number, 0, p->e) == 0) {
        *place = 0;
    }
    if (*place == TRACE_MAP_NONE) {
        tan_fail_at(p->e, p->path, (int)p->line, 0,
                    "its communicator of %" PRId64 " ranks has no line \"# comm\" before it, and "
                    "the trace has %" PRIu32 " ranks",
                    event->comm.size, p->job->ranks);
        return NULL;
    }
    return &p->job->comms.list[*place];
}

static int add_comm(struct trace_program *p, const struct trace_event *event)
{
    if (event->comm.members == NULL) {
        tan_doubts_add(&p->job->trace->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                       "messages between the two groups of an intercommunicator are not simulated");
        return 0;
    }
    return tan_trace_comms_add(&p->job->comms, &p->comms, event->comm.number, event->comm.members,
                               (uint32_t)event->comm.size, p->e);
}

/* The schedule's tag for this tag in a communicator; `tag` -1: for its collective operations.
 * Returns -1 if memory is short. */
static int64_t tag_of(struct trace_program *p, uint32_t comm, int64_t tag)
{
    const uint64_t key = (uint64_t)comm << 32 | ((uint32_t)tag + 1U);
    uint32_t found = tan_trace_map_find(&p->job->tags, key);
    if (found == TRACE_MAP_NONE) {
        found = (uint32_t)p->job->tags.used;
        if (tan_trace_map_set(&p->job->tags, key, found, p->e) < 0) {
            return -1;
        }
    }
    return found;
}

/* Messages */

/* A send or receive; *skip: its peer is MPI_PROC_NULL. Under Schedgen wildcard receives remain
 * so. */
static int message_of(struct trace_program *p, const struct trace_event *event, bool receives,
                      struct post *post, bool *skip)
{
    const struct trace_message *m = receives ? &event->in : &event->out;
    uint32_t place;
    int64_t peer = m->peer;
    int64_t tag = m->tag;
    const struct trace_comm *comm = comm_of(p, event, &place);
    if (comm == NULL) {
        return -1;
    }
    *skip = peer == TRACE_NOBODY;
    if (*skip) {
        return 0;
    }
    if (receives && event->got.source >= 0 && !p->job->algorithms.schedgen) {
        peer = peer == TRACE_ANY ? event->got.source : peer;
        tag = tag == TRACE_ANY ? event->got.tag : tag;
    }
    if (peer >= comm->size || peer < TRACE_ANY || (peer == TRACE_ANY && !receives) ||
        tag < TRACE_ANY || (tag == TRACE_ANY && !receives)) {
        return fail_line(p, "its peer is not in its communicator, or its tag is invalid");
    }
    *post = (struct post){place, peer, tag, m->bytes, receives};
    return 0;
}

static bool is_open(const struct post *post)
{
    return post->peer == TRACE_ANY || post->tag == TRACE_ANY;
}

static int operation_of(struct trace_program *p, const struct post *post, struct tan_op_spec *spec)
{
    const int64_t tag = post->tag == TRACE_ANY ? 0 : tag_of(p, post->comm, post->tag);
    if (tag < 0) {
        return -1;
    }
    *spec = (struct tan_op_spec){
        .kind = post->receives ? TAN_OP_RECV : TAN_OP_SEND,
        .amount = post->bytes,
        .peer = post->peer == TRACE_ANY ? TAN_ANY_SOURCE
                                        : p->job->comms.list[post->comm].rank[post->peer],
        .tag = post->tag == TRACE_ANY ? TAN_ANY_TAG : (uint32_t)tag,
    };
    return 0;
}

static struct persistent *find_persistent(const struct trace_program *p, int64_t request)
{
    for (size_t i = p->persistent.n; i-- > 0;) {
        if (p->persistent.list[i].request == (uint64_t)request) {
            return &p->persistent.list[i];
        }
    }
    return NULL;
}

/* A key for a request that is unique across ranks; each start of a persistent request has its
 * own. */
static uint64_t request_of(const struct trace_program *p, int64_t number)
{
    const uint64_t started = UINT64_C(1) << 63;
    const struct persistent *persistent = find_persistent(p, number);
    return (uint64_t)p->rank << 40 ^
           (persistent == NULL ? (uint64_t)number : started | persistent->start);
}

/* Whether the message of this request was cancelled, according to an earlier reading. */
static bool will_be_cancelled(const struct trace_program *p, int64_t request)
{
    return p->job->cancelled.used > 0 &&
           tan_trace_map_find(&p->job->cancelled, request_of(p, request)) == 1;
}

static int keep_persistent(struct trace_program *p, int64_t request, const struct post *post)
{
    if (TAN_ONE_MORE(p->persistent.list, p->persistent.n) < 0) {
        return tan_fail_nomem(p->e);
    }
    p->persistent.list[p->persistent.n++] =
        (struct persistent){.request = (uint64_t)request, .post = *post};
    return 0;
}

/* Remember that the next receive is open until its request tells what it has received. */
static int keep_open(struct trace_program *p, int64_t request, uint32_t comm)
{
    if (tan_grow(&p->open.list, &p->open.room, (uint64_t)p->open.n + 1, sizeof *p->open.list,
                 p->e) != 0) {
        return -1;
    }
    p->open.list[p->open.n] = (struct open_receive){p->ops, comm};
    return tan_trace_map_set(&p->open.at, (uint64_t)request, p->open.n++, p->e);
}

/* A message that the program waits for, or starts and continues. */
static int post_message(struct trace_program *p, const struct post *post, bool immediate,
                        int64_t request)
{
    struct tan_op_spec spec;
    uint32_t index;
    const bool named_later = immediate && request >= 0 && is_open(post);
    if ((named_later && !p->job->algorithms.schedgen && keep_open(p, request, post->comm) < 0) ||
        operation_of(p, post, &spec) < 0 || append_op(p, &spec, &index) < 0) {
        return -1;
    }
    go_on_after(p, index, immediate ? TAN_AFTER_START : TAN_AFTER_FINISH);
    if (!immediate || request < 0) { /* nothing waits for it */
        return 0;
    }
    return tan_trace_map_set(&p->requests, (uint64_t)request, index, p->e);
}

static int add_message(struct trace_program *p, const struct trace_event *event)
{
    struct post own;
    bool skip;
    if (message_of(p, event, event->kind == TRACE_RECV, &own, &skip) < 0) {
        return -1;
    }
    if (skip) {
        return 0;
    }
    if (event->persistent) {
        return keep_persistent(p, event->request, &own);
    }
    if (event->immediate && will_be_cancelled(p, event->request)) {
        return 0;
    }
    return post_message(p, &own, event->immediate, event->request);
}

/* A simultaneous send and receive, either of which may be NULL. Under Schedgen whatever follows
 * waits for both, without an operation that joins them. */
static int exchange_messages(struct trace_program *p, const struct tan_op_spec *send,
                             const struct tan_op_spec *receive)
{
    uint32_t sent = TAN_OP_NONE;
    uint32_t joined;
    const uint32_t first = p->ops;
    const bool apart = p->job->algorithms.schedgen && send != NULL && receive != NULL;
    if ((send != NULL && append_op(p, send, &sent) < 0) ||
        (receive != NULL && append_op(p, receive, &joined) < 0) ||
        (!apart && join_ops(p, first, &joined) < 0)) {
        return -1;
    }
    go_on_after(p, joined, TAN_AFTER_FINISH);
    p->now.also = apart ? sent : TAN_OP_NONE;
    return 0;
}

static int add_sendrecv(struct trace_program *p, const struct trace_event *event)
{
    struct tan_op_spec spec[2];
    bool skip[2];
    for (int i = 0; i < 2; i++) {
        struct post own;
        if (message_of(p, event, i == 1, &own, &skip[i]) < 0 ||
            (!skip[i] && operation_of(p, &own, &spec[i]) < 0)) {
            return -1;
        }
    }
    return exchange_messages(p, skip[0] ? NULL : &spec[0], skip[1] ? NULL : &spec[1]);
}

/* An open receive is matched with the message that it got in the trace: if the simulation gave it
 * an earlier one, that could be the message that a later receive or collective operation waits
 * for. */
static int name_message(struct trace_program *p, const struct trace_completed *c)
{
    const uint32_t number = tan_trace_map_find(&p->open.at, (uint64_t)c->request);
    if (number == TRACE_MAP_NONE) {
        return 0;
    }
    const struct open_receive *receive = &p->open.list[number];
    tan_map_remove(&p->open.at, (uint64_t)c->request);
    if (c->source < 0) {
        return 0;
    }
    if (c->source >= p->job->comms.list[receive->comm].size || c->tag < 0) {
        return fail_line(p, "the source of its message is not in its communicator");
    }
    const int64_t tag = tag_of(p, receive->comm, c->tag);
    if (tag < 0) {
        return -1;
    }
    tan_schedule_name_message(p->job->builder, receive->op,
                              p->job->comms.list[receive->comm].rank[c->source], (uint32_t)tag);
    return 0;
}

/* Record whether an MPI_Cancel took effect. */
static int note_cancelled(struct trace_program *p, int64_t number, bool cancelled)
{
    struct tan_map *map = &p->job->cancelled;
    const uint64_t request = request_of(p, number);
    if (!cancelled && tan_trace_map_find(map, request) == TRACE_MAP_NONE) {
        return 0;
    }
    p->job->surprised = p->job->surprised || cancelled;
    return tan_trace_map_set(map, request, cancelled, p->e);
}

static bool is_send(const struct trace_program *p, uint32_t op)
{
    return tan_op_kind(&tan_schedule_added_ops(p->job->builder)[op]) == TAN_OP_SEND;
}

/* Cancelled receives count as cancelled unless a later call completes them; sends that no call
 * completes count as sent. */
static int add_cancels(struct trace_program *p, const struct trace_event *event)
{
    int result = 0;
    for (uint32_t i = 0; i < event->n_completed && result == 0; i++) {
        const int64_t number = event->completed[i].request;
        const uint32_t op = tan_trace_map_find(&p->requests, (uint64_t)number);
        if (op != TRACE_MAP_NONE && !is_send(p, op) &&
            tan_trace_map_find(&p->job->cancelled, request_of(p, number)) == TRACE_MAP_NONE) {
            result = note_cancelled(p, number, true);
        }
    }
    return result;
}

/* Wait for requests. */
static int add_completion(struct trace_program *p, const struct trace_event *event)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    uint32_t joined = TAN_OP_NONE;
    for (uint32_t i = 0; i < event->n_completed; i++) {
        const struct trace_completed *c = &event->completed[i];
        const uint32_t op = tan_trace_map_find(&p->requests, (uint64_t)c->request);
        if (op == TRACE_MAP_NONE) {
            continue; /* MPI_PROC_NULL, or inactive */
        }
        if (name_message(p, c) < 0) {
            return -1;
        }
        tan_map_remove(&p->requests, (uint64_t)c->request);
        if (note_cancelled(p, c->request, c->source == TRACE_CANCELLED) < 0) {
            return -1;
        }
        if ((joined == TAN_OP_NONE && append_op(p, &nothing, &joined) < 0) ||
            wait_for(p, joined, op, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    if (joined != TAN_OP_NONE) {
        go_on_after(p, joined, TAN_AFTER_FINISH);
    }
    return 0;
}

static int start_persistent(struct trace_program *p, int64_t request)
{
    struct persistent *persistent = find_persistent(p, request);
    if (persistent == NULL) { /* MPI_PROC_NULL */
        return 0;
    }
    persistent->start = ++p->persistent.starts;
    return will_be_cancelled(p, request) ? 0 : post_message(p, &persistent->post, true, request);
}

static int add_starts(struct trace_program *p, const struct trace_event *event)
{
    int result = 0;
    for (uint32_t i = 0; i < event->n_completed && result == 0; i++) {
        result = start_persistent(p, event->completed[i].request);
    }
    return result;
}

/* Collective operations */

static int make_room(struct trace_program *p, uint32_t n)
{
    if (n <= p->bytes.room) {
        return 0;
    }
    free(p->bytes.out);
    free(p->bytes.in);
    p->bytes.room = n;
    p->bytes.out = malloc(n * sizeof *p->bytes.out);
    p->bytes.in = malloc(n * sizeof *p->bytes.in);
    return p->bytes.out == NULL || p->bytes.in == NULL ? tan_fail_nomem(p->e) : 0;
}

static void fill_list(uint64_t *list, uint32_t n, uint64_t value)
{
    for (uint32_t i = 0; i < n; i++) {
        list[i] = value;
    }
}

/* Take over a list of the trace, unless there is none. */
static void copy_list(const uint64_t *from, uint64_t *to, uint32_t size)
{
    if (from != NULL) {
        memcpy(to, from, size * sizeof *to);
    }
}

/* What each rank sends and receives. */
static int sizes_of(struct trace_program *p, const struct trace_event *event,
                    struct trace_collective *q)
{
    const bool root = event->comm.rank == event->out.peer;
    const uint64_t bytes = event->out.bytes;
    const uint64_t bytes2 = event->in.bytes;
    if (make_room(p, q->size) < 0) {
        return -1;
    }
    copy_list(event->out.list, p->bytes.out, q->size);
    copy_list(event->in.list, p->bytes.in, q->size);
    q->bytes = bytes > bytes2 ? bytes : bytes2; /* one of them is 0 for MPI_IN_PLACE */
    switch (event->kind) {
    case TRACE_BARRIER:
        q->bytes = 1;
        break;
    case TRACE_GATHER:
        q->bytes = root ? bytes2 : bytes;
        break;
    case TRACE_SCATTER:
        q->bytes = root ? bytes : bytes2;
        break;
    case TRACE_GATHERV:
        fill_list(p->bytes.out, q->size, bytes);
        break;
    case TRACE_SCATTERV:
        fill_list(p->bytes.in, q->size, bytes2);
        break;
    case TRACE_REDUCE_SCATTER:
        fill_list(p->bytes.in, q->size, p->bytes.out[q->rank]);
        break;
    default:
        break;
    }
    if (event->out.list != NULL || event->in.list != NULL) {
        /* in place: sent and received sizes are equal */
        const bool same = event->kind == TRACE_ALLTOALLV && event->in_place;
        q->out = same ? p->bytes.in : p->bytes.out;
        q->in = p->bytes.in;
    }
    return 0;
}

static int add_collective(struct trace_program *p, const struct trace_event *event)
{
    uint32_t place;
    const struct trace_comm *comm = comm_of(p, event, &place);
    const int64_t root = event->out.peer;
    if (comm == NULL) {
        return -1;
    }
    if (root < 0 || root >= comm->size || event->comm.size != comm->size ||
        comm->rank[event->comm.rank] != p->rank) {
        return fail_line(p, "its root or this rank is not in its communicator");
    }
    struct trace_collective q = {
        .kind = event->kind,
        .member = comm->rank,
        .size = comm->size,
        .root = (uint32_t)root,
        .rank = (uint32_t)event->comm.rank,
    };
    const int64_t tag = tag_of(p, place, -1);
    if (tag < 0 || sizes_of(p, event, &q) < 0) {
        return -1;
    }
    q.tag = (uint32_t)tag;
    if (q.size == 1 && append_calculation(p, picoseconds_of(event->end - event->start)) < 0) {
        return -1; /* no one to wait for, so it has computed */
    }
    const uint32_t first = p->ops;
    p->ops = tan_trace_collective_make(&p->job->algorithms, &q, p->job->builder, first, p->e);
    if (p->e->status != TAN_DONE) {
        return -1;
    }
    const uint32_t joined = p->ops - 1;
    for (uint32_t i = first; i < p->ops; i++) {
        if (wait_for(p, i, p->now.anchor, p->now.when) < 0 ||
            (i < joined && wait_for(p, joined, i, TAN_AFTER_FINISH) < 0)) {
            return -1;
        }
    }
    /* the program continues once its first messages are in flight */
    const bool goes_on = event->immediate && !p->job->algorithms.schedgen;
    go_on_after(p, goes_on ? first : joined, goes_on ? TAN_AFTER_START : TAN_AFTER_FINISH);
    return event->immediate
               ? tan_trace_map_set(&p->requests, (uint64_t)event->request, joined, p->e)
               : 0;
}

/* Calls */

static int add_operations(struct trace_program *p, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_SEND:
    case TRACE_RECV:
        return add_message(p, event);
    case TRACE_SENDRECV:
        return add_sendrecv(p, event);
    case TRACE_COMPLETE:
        return add_completion(p, event);
    case TRACE_START:
        return add_starts(p, event);
    case TRACE_CANCEL:
        return add_cancels(p, event);
    default:
        return tan_trace_is_collective(event->kind) ? add_collective(p, event) : 0;
    }
}

/* The program has computed for `between` nanoseconds. */
static int compute_between(struct trace_program *p, int64_t between)
{
    if (p->now.polling && between < POLL_NS) {
        p->now.polled += between;
        return 0;
    }
    if (between == 0 && p->job->algorithms.schedgen) {
        return append_even_empty(p, 0);
    }
    return add_computation(p, between);
}

/* A series of unsuccessful tests before a successful one was a wait, except for the program's own
 * work between tests; if that took longer than the tests, the program was mainly working. A series
 * that ends in another way took the program's time, too. */
static int end_polls(struct trace_program *p, const struct trace_event *event)
{
    if (event->kind == TRACE_POLLS) {
        p->now.polled += event->end - event->start;
        p->now.tested += event->inside;
        return 0;
    }
    const bool waited = event->test && p->now.polled - p->now.tested <= p->now.tested;
    const int64_t computed = waited ? p->now.polled - p->now.tested : p->now.polled;
    if (p->thread == 0) {
        p->own->polled += (double)(p->now.polled - computed) / 1e9;
    }
    p->now.polled = p->now.tested = 0;
    return add_computation(p, computed);
}

/* Times are those of the first thread, and only its operations are marked; other threads run
 * concurrently. */
static void count_call(struct trace_program *p, const struct trace_event *event)
{
    struct tan_trace_call *call = &p->job->names->count[event->call];
    const struct trace_message *m = event->kind == TRACE_RECV ? &event->in : &event->out;
    const bool polls = event->kind == TRACE_POLLS;
    const uint64_t calls = polls ? (uint64_t)event->polls : 1;
    p->own->calls += calls;
    call->calls += calls;
    call->bytes += m->peer == TRACE_NOBODY ? 0 : m->bytes;
    if (p->thread == 0) {
        const uint64_t inside = (uint64_t)(polls ? event->inside : event->end - event->start);
        p->own->in_mpi_ns += inside;
        p->own->run_ns += (uint64_t)(event->end - p->now.last);
        call->time_ns += inside;
    }
}

static int add_init(struct trace_program *p, const struct trace_event *event)
{
    if (p->began) {
        return fail_line(p, "this is a second MPI_Init");
    }
    p->began = true;
    p->now.last = event->end;
    const int result = add_computation(p, (int64_t)llround(p->own->started * 1e9));
    p->started = p->now;
    return result;
}

/* Threads */

/* A thread without earlier calls starts after MPI_Init. */
static int switch_to(struct trace_program *p, uint32_t thread)
{
    const uint32_t n = (thread > p->thread ? thread : p->thread) + 1;
    if (n > p->n_threads) {
        struct sequence *more = realloc(p->threads, n * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(p->e);
        }
        for (uint32_t i = p->n_threads; i < n; i++) {
            more[i] = p->started;
        }
        p->threads = more;
        p->n_threads = n;
    }
    p->threads[p->thread] = p->now;
    p->now = p->threads[thread];
    p->thread = thread;
    tan_schedule_cpu(p->job->builder, (uint16_t)thread); /* computes concurrently */
    return 0;
}

/* Wait for the other threads. */
static int join_threads(struct trace_program *p)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    uint32_t joined;
    if (p->n_threads == 0) {
        return 0;
    }
    if (append_op(p, &nothing, &joined) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct sequence *other = &p->threads[i];
        if (i != p->thread && (wait_for(p, joined, other->anchor, other->when) < 0 ||
                               wait_for(p, joined, other->also, TAN_AFTER_FINISH) < 0)) {
            return -1;
        }
    }
    go_on_after(p, joined, TAN_AFTER_FINISH);
    return 0;
}

static int add_call(struct trace_program *p, const struct trace_event *event)
{
    if (!p->began) {
        return fail_line(p, "a call precedes MPI_Init");
    }
    if (event->thread != p->thread && switch_to(p, event->thread) < 0) {
        return -1;
    }
    if (event->start < p->now.last || event->end < event->start) {
        return fail_line(p,
                         "this call begins before the one before it has ended, or ends before it "
                         "begins");
    }
    if (compute_between(p, event->start - p->now.last) < 0 || end_polls(p, event) < 0) {
        return -1;
    }
    p->now.polling = event->kind == TRACE_POLLS;
    count_call(p, event);
    p->now.last = event->end;
    if (event->kind == TRACE_UNKNOWN) {
        tan_doubts_add(&p->job->trace->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                       "%s is not simulated, and its time is left out",
                       p->job->names->count[event->call].name);
    }
    p->ended = event->kind == TRACE_FINALIZE;
    if (p->ended && join_threads(p) < 0) {
        return -1;
    }
    const uint32_t first = p->ops;
    return add_operations(p, event) < 0
               ? -1
               : mark_phase(p, first, TAN_TRACE_COMPUTATION + 1 + event->call);
}

int tan_trace_program_add(struct trace_program *p, const struct trace_event *event,
                          struct tan_error *e)
{
    p->e = e;
    p->line = event->line;
    switch (event->kind) {
    case TRACE_COMM:
        return add_comm(p, event);
    case TRACE_INIT:
        return add_init(p, event);
    case TRACE_LOCAL: /* part of the surrounding computation */
        break;
    default:
        if (!p->job->algorithms.schedgen || !(event->test || event->kind == TRACE_POLLS)) {
            return add_call(p, event);
        }
    }
    return p->began ? 0 : fail_line(p, "a call precedes MPI_Init");
}

struct trace_program *tan_trace_program_begin(struct trace_job *job, uint32_t rank,
                                              const char *path, struct tan_error *e)
{
    struct trace_program *p = calloc(1, sizeof *p);
    if (p == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *p = (struct trace_program){.job = job,
                                .own = &job->trace->rank[rank],
                                .rank = rank,
                                .path = path,
                                .now = {.anchor = TAN_OP_NONE, .also = TAN_OP_NONE}};
    return p;
}

bool tan_trace_program_began(const struct trace_program *p)
{
    return p->began;
}

bool tan_trace_program_ended(const struct trace_program *p)
{
    return p->ended;
}

void tan_trace_program_end(struct trace_program *p)
{
    if (p != NULL) {
        tan_trace_comm_numbers_clear(&p->comms);
        tan_map_clear(&p->requests);
        tan_map_clear(&p->open.at);
        free(p->open.list);
        free(p->persistent.list);
        free(p->threads);
        free(p->bytes.out);
        free(p->bytes.in);
        free(p);
    }
}
