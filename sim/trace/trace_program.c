/* trace_program.c - the calls of one rank as operations of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine/p2p.h"
#include "sim/calls/trace_remark.h"
#include "sim/schedule/arrays.h"

/* Between tests that found nothing a program that only waits does less than this. */
enum { POLL_NS = 5000 };

/* A message as its own rank sees it. */
struct post {
    uint32_t comm, own; /* place of the communicator in job->comms, and this rank in it */
    int64_t peer, tag;
    uint64_t bytes;
    int64_t at;
    bool receives;
    uint32_t call;
};

/* A send or receive that is started again and again. */
struct persistent {
    uint64_t request;
    uint32_t start; /* number of its last start among those of the rank */
    struct post post;
};

/* A receive that does not name its source or tag, until it is known what it got. */
struct open_receive {
    uint32_t op, comm;
};

/* Where a thread of the program is. */
struct sequence {
    uint32_t anchor; /* what the next operation waits for; TAN_OP_NONE: nothing */
    enum tan_requires when;
    uint32_t also;  /* and the end of this one; TAN_OP_NONE: nothing */
    int64_t last;   /* end of the call before, nanoseconds */
    bool polling;   /* that call was a test that found nothing */
    int64_t polled; /* nanoseconds of a run of these, with what is between them */
    int64_t tested; /* of them in the tests */
};

struct trace_program {
    struct trace_job *job;
    struct tan_trace_rank *own; /* of several ranks that follow it the first one's */
    uint32_t rank, place;       /* traced, and in the larger job */
    const char *path;
    uint32_t line;
    struct tan_error *e;

    struct trace_map comms;       /* its numbers of communicators -> places in job->comms */
    struct trace_map occurrence;  /* by place of the first communicator with these ranks */
    struct trace_map requests;    /* request -> operation that completes it */
    struct trace_map open;        /* request -> number of its open receive */
    struct open_receive *receive; /* by number; only those of requests are filled in */
    uint32_t receive_room;
    struct trace_map sent_from; /* addresses from which messages were sent since one came there */
    uint32_t n_open;            /* receives so far that do not name their source or tag */
    struct tan_op_spec *spec;   /* of the last message */
    uint32_t n_specs, spec_room;
    struct persistent *persistent;
    size_t n_persistent;
    uint32_t n_starts;
    uint64_t *out, *in; /* bytes for and from each rank */
    uint32_t list_room;

    uint32_t ops;
    struct sequence now;      /* of the thread that is read */
    struct sequence started;  /* where all of them begin: behind MPI_Init */
    struct sequence *threads; /* of the others, and an old one of `thread`; NULL: there is one */
    uint32_t thread, n_threads;
    bool began, ended;
};

static int fail(struct trace_program *p, const char *problem)
{
    return tan_fail_at(p->e, p->path, (int)p->line, 0, "%s", problem);
}

void trace_job_clear(struct trace_job *job)
{
    trace_comms_clear(&job->comms);
    trace_map_clear(&job->tags);
    trace_map_clear(&job->cancelled);
    free(job->moved);
    job->moved = NULL;
}

/* Operations */

static int add(struct trace_program *p, const struct tan_op_spec *spec, uint32_t *index)
{
    if (tan_schedule_add(p->job->builder, spec, 0, index, p->e) < 0) {
        return tan_fail_at(p->e, p->path, (int)p->line, 0, "%s", p->e->text);
    }
    p->ops = *index + 1;
    return 0;
}

static int wait_for(struct trace_program *p, uint32_t index, uint32_t on, enum tan_requires when)
{
    return on == TAN_OP_NONE ? 0 : tan_schedule_require(p->job->builder, index, on, when, p->e);
}

/* An operation behind everything before it. */
static int append(struct trace_program *p, const struct tan_op_spec *spec, uint32_t *index)
{
    return add(p, spec, index) < 0 || wait_for(p, *index, p->now.anchor, p->now.when) < 0
               ? -1
               : wait_for(p, *index, p->now.also, TAN_AFTER_FINISH);
}

static void go_on_after(struct trace_program *p, uint32_t index, enum tan_requires when)
{
    p->now.anchor = index;
    p->now.when = when;
    p->now.also = TAN_OP_NONE;
}

/* What the rank has done since operation `from` is of this phase. The other ranks that follow the
 * same traced one do the same, and do not count. */
static int mark(struct trace_program *p, uint32_t from, uint32_t phase)
{
    const bool counts =
        p->job->marks && p->place == p->own->place && p->ops > from && p->thread == 0;
    return counts ? tan_schedule_mark(
                        p->job->builder, p->now.anchor,
                        (uint16_t)(phase | (p->now.when == TAN_AFTER_START ? TAN_PHASE_STARTS : 0)),
                        p->e)
                  : 0;
}

/* It may be empty. */
static int append_even_empty(struct trace_program *p, uint64_t picoseconds)
{
    const struct tan_op_spec spec = {.kind = TAN_OP_CALC, .amount = picoseconds};
    uint32_t index;
    if (append(p, &spec, &index) < 0) {
        return -1;
    }
    go_on_after(p, index, TAN_AFTER_FINISH);
    return 0;
}

static int append_calculation(struct trace_program *p, uint64_t picoseconds)
{
    return picoseconds == 0 ? 0 : append_even_empty(p, picoseconds);
}

/* Between two calls. */
static int calculate(struct trace_program *p, int64_t ns)
{
    const uint32_t first = p->ops;
    return append_calculation(p, (uint64_t)ns * 1000) < 0 ? -1
                                                          : mark(p, first, TAN_TRACE_COMPUTATION);
}

/* An empty calculation behind the operations from `from` on, and what was before them. */
static int join(struct trace_program *p, uint32_t from, uint32_t *joined)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    const uint32_t to = p->ops;
    if (append(p, &nothing, joined) < 0) {
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
    *place = trace_map_find(&p->comms, (uint64_t)event->comm);
    /* liballprof has no lines for communicators: one with all ranks is the world */
    if (*place == TRACE_MAP_NONE && event->comm_size == p->job->ranks &&
        trace_map_set(&p->comms, (uint64_t)event->comm, 0, p->e) == 0) {
        *place = 0;
    }
    if (*place == TRACE_MAP_NONE) {
        tan_fail_at(p->e, p->path, (int)p->line, 0,
                    "its communicator of %" PRId64 " ranks has no line \"# comm\" before it, and "
                    "the trace has %" PRIu32 " ranks",
                    event->comm_size, p->job->ranks);
        return NULL;
    }
    return &p->job->comms.list[*place];
}

static int add_comm(struct trace_program *p, const struct trace_event *event)
{
    struct trace_comms *comms = &p->job->comms;
    const uint32_t size = (uint32_t)event->comm_size;
    if (event->members == NULL) {
        trace_remark(p->job->trace,
                     "messages between the two groups of an intercommunicator are not simulated");
        return 0;
    }
    const int64_t first = trace_comms_find(comms, event->members, size, 0, p->e);
    const uint32_t seen =
        first < 0 ? TRACE_MAP_NONE : trace_map_find(&p->occurrence, (uint64_t)first);
    const uint32_t occurrence = seen == TRACE_MAP_NONE ? 0 : seen;
    const int64_t place =
        first < 0 ? -1 : trace_comms_find(comms, event->members, size, occurrence, p->e);
    return place < 0 || trace_map_set(&p->occurrence, (uint64_t)first, occurrence + 1, p->e) < 0 ||
                   trace_map_set(&p->comms, (uint64_t)event->comm, (uint32_t)place, p->e) < 0
               ? -1
               : 0;
}

/* The schedule's tag of messages with this tag in a communicator; -1 for its collective ones.
 * Returns -1 without memory. */
static int64_t tag_of(struct trace_program *p, uint32_t comm, int64_t tag)
{
    const uint64_t key = (uint64_t)comm << 32 | (uint32_t)(tag + 1);
    uint32_t found = trace_map_find(&p->job->tags, key);
    if (found == TRACE_MAP_NONE) {
        found = p->job->tags.used;
        if (trace_map_set(&p->job->tags, key, found, p->e) < 0) {
            return -1;
        }
    }
    return found;
}

/* Messages */

/* Schedgen leaves receives from any source, and with any tag, as they are. A larger job needs
 * peers. */
static bool leaves_open(const struct trace_job *job)
{
    return job->algorithms.schedgen && job->survey == NULL && job->growth == NULL;
}

/* A send or receive; *skip: it is with MPI_PROC_NULL. */
static int message(struct trace_program *p, const struct trace_event *event, bool receives,
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
    if (receives && event->got.source >= 0 && !leaves_open(p->job)) {
        peer = peer == TRACE_ANY ? event->got.source : peer;
        tag = tag == TRACE_ANY ? event->got.tag : tag;
    }
    if (peer >= comm->size || peer < TRACE_ANY || (peer == TRACE_ANY && !receives) ||
        tag < TRACE_ANY || (tag == TRACE_ANY && !receives)) {
        return fail(p, "its peer is no rank of its communicator, or its tag is not one");
    }
    *post = (struct post){
        place, (uint32_t)event->comm_rank, peer, tag, m->bytes, m->at, receives, event->call};
    return 0;
}

static int add_spec(struct trace_program *p, const struct tan_op_spec *spec)
{
    if (p->n_specs == p->spec_room) {
        const uint32_t room = 2 * p->spec_room + 4;
        struct tan_op_spec *more = realloc(p->spec, room * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(p->e);
        }
        p->spec = more;
        p->spec_room = room;
    }
    p->spec[p->n_specs++] = *spec;
    return 0;
}

static bool is_open(const struct post *post)
{
    return post->peer == TRACE_ANY || post->tag == TRACE_ANY;
}

/* Tell the survey; a receive that is open as soon as it is known what it got. */
static int survey(struct trace_program *p, const struct post *post)
{
    struct trace_job *job = p->job;
    const struct trace_open_receive open = {post->comm, post->own, post->call, TRACE_NOBODY,
                                            TRACE_NOBODY};
    const struct trace_comm *comm = &job->comms.list[post->comm];
    if (post->own >= comm->size || comm->rank[post->own] != p->rank) {
        return fail(p, "this rank is none of its communicator, or another one");
    }
    if (is_open(post)) {
        return trace_survey_open(job->survey, p->rank, &open, p->e) < 0 ? -1 : 0;
    }
    return trace_survey_message(job->survey, post->comm, comm->size, post->tag, post->own,
                                (uint32_t)post->peer, post->receives, post->call, p->e);
}

/* With what an open receive got in the traced job, where it is planned how that one grows. */
static struct post named(const struct trace_program *p, const struct post *post)
{
    struct post known = *post;
    if (p->job->growth != NULL && is_open(post)) {
        const struct trace_open_receive *open =
            trace_growth_open(p->job->growth, p->rank, p->n_open);
        if (open->peer != TRACE_NOBODY) {
            known.peer = open->peer;
            known.tag = open->tag;
        }
    }
    return known;
}

/* The peers of a message in the larger job. */
static int grow(struct trace_program *p, const struct post *post, const struct tan_op_spec *spec)
{
    if (is_open(post)) {
        return add_spec(p, spec);
    }
    const struct trace_peers *peers =
        trace_growth_peers(p->job->growth, post->comm, post->tag, p->place, post->own,
                           (uint32_t)post->peer, post->receives);
    if (peers == NULL) {
        return tan_fail_nomem(p->e);
    }
    for (uint32_t i = 0; i < peers->n; i++) {
        struct tan_op_spec one = *spec;
        one.kind = post->receives != peers->list[i].turned ? TAN_OP_RECV : TAN_OP_SEND;
        one.peer = p->job->first + peers->list[i].rank;
        if (add_spec(p, &one) < 0) {
            return -1;
        }
    }
    return 0;
}

static uint32_t global_rank(const struct trace_program *p, uint32_t comm, int64_t rank)
{
    return p->job->first + p->job->comms.list[comm].rank[rank];
}

/* The operations of a message, in p->spec: in a larger job it may become several. */
static int operations_of(struct trace_program *p, const struct post *post)
{
    const struct post known = named(p, post);
    const int64_t mapped = known.tag == TRACE_ANY ? 0 : tag_of(p, known.comm, known.tag);
    if (mapped < 0) {
        return -1;
    }
    const struct tan_op_spec spec = {
        .kind = known.receives ? TAN_OP_RECV : TAN_OP_SEND,
        .amount = known.bytes,
        .peer = known.peer == TRACE_ANY ? TAN_ANY_SOURCE : global_rank(p, known.comm, known.peer),
        .tag = known.tag == TRACE_ANY ? TAN_ANY_TAG : (uint32_t)mapped,
    };
    p->n_specs = 0;
    p->job->wild = p->job->wild || is_open(post);
    if (p->job->survey != NULL && survey(p, post) < 0) {
        return -1;
    }
    const int result = p->job->growth == NULL ? add_spec(p, &spec) : grow(p, &known, &spec);
    p->n_open += is_open(post);
    return result;
}

static struct persistent *find_persistent(const struct trace_program *p, int64_t request)
{
    for (size_t i = p->n_persistent; i-- > 0;) {
        if (p->persistent[i].request == (uint64_t)request) {
            return &p->persistent[i];
        }
    }
    return NULL;
}

/* A request among those of all ranks; a persistent one is another request with each start. */
static uint64_t request_of(const struct trace_program *p, int64_t number)
{
    const uint64_t started = UINT64_C(1) << 63;
    const struct persistent *persistent = find_persistent(p, number);
    return (uint64_t)p->rank << 40 ^
           (persistent == NULL ? (uint64_t)number : started | persistent->start);
}

/* The message that a request is started for was cancelled, as a first reading has found out. */
static bool will_be_cancelled(const struct trace_program *p, int64_t request)
{
    return p->job->cancelled.used > 0 &&
           trace_map_find(&p->job->cancelled, request_of(p, request)) == 1;
}

static int keep_persistent(struct trace_program *p, int64_t request, const struct post *post)
{
    struct persistent *more = realloc(p->persistent, (p->n_persistent + 1) * sizeof *more);
    if (more == NULL) {
        return tan_fail_nomem(p->e);
    }
    p->persistent = more;
    more[p->n_persistent++] = (struct persistent){.request = (uint64_t)request, .post = *post};
    return 0;
}

/* A calculation that completes the operations from `from` on, on which the program does not wait.
 */
static int complete(struct trace_program *p, uint32_t from, uint64_t picoseconds,
                    uint32_t *completed)
{
    const struct tan_op_spec spec = {.kind = TAN_OP_CALC, .amount = picoseconds};
    const uint32_t to = p->ops;
    if (add(p, &spec, completed) < 0) {
        return -1;
    }
    for (uint32_t i = from; i < to; i++) {
        if (wait_for(p, *completed, i, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Where a message comes to which this rank has sent one from, the copy takes longer: the core that
 * has read that one still has it in its cache. *more: what it takes longer, picoseconds, left alone
 * where it does not; short messages go through memory of the library. */
static int in_place(struct trace_program *p, const struct post *post, uint64_t *more)
{
    const struct tan_p2p *messages = p->job->messages;
    const uint64_t at = (uint64_t)post->at;
    if (messages == NULL || post->at <= 0 || messages->eager < 0 ||
        post->bytes <= (uint64_t)messages->eager) {
        return 0;
    }
    if (!post->receives) {
        return trace_map_set(&p->sent_from, at, 1, p->e);
    }
    if (trace_map_find(&p->sent_from, at) != TRACE_MAP_NONE) {
        const double seconds = tan_p2p_in_place(messages, (int64_t)post->bytes);
        trace_map_drop(&p->sent_from, at);
        *more = (uint64_t)llround(seconds * 1e12);
        p->own->in_place += p->place == p->own->place ? seconds : 0.0;
    }
    return 0;
}

/* The receive that is added next, until its request says what it got. */
static int keep_open(struct trace_program *p, int64_t request, uint32_t comm)
{
    if (tan_grow(&p->receive, &p->receive_room, (uint64_t)p->n_open + 1, sizeof *p->receive,
                 p->e) != 0) {
        return -1;
    }
    p->receive[p->n_open] = (struct open_receive){p->ops, comm};
    return trace_map_set(&p->open, (uint64_t)request, p->n_open, p->e);
}

/* A message that the program waits for, or starts and goes on. */
static int post(struct trace_program *p, const struct post *post, bool immediate, int64_t request)
{
    uint32_t index = TAN_OP_NONE;
    const uint32_t first = p->ops;
    uint64_t more = 0;
    if (immediate && request >= 0 && is_open(post) && p->job->growth == NULL &&
        !leaves_open(p->job) && keep_open(p, request, post->comm) < 0) {
        return -1;
    }
    if (operations_of(p, post) < 0 || in_place(p, post, &more) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < p->n_specs; i++) {
        if (append(p, &p->spec[i], &index) < 0) {
            return -1;
        }
        go_on_after(p, index, immediate ? TAN_AFTER_START : TAN_AFTER_FINISH);
    }
    if (index == TAN_OP_NONE) {
        return 0;
    }
    if (!immediate) {
        return append_calculation(p, more);
    }
    if (request < 0) { /* nothing waits for it */
        return 0;
    }
    if ((p->n_specs > 1 || more > 0) && complete(p, first, more, &index) < 0) {
        return -1;
    }
    return trace_map_set(&p->requests, (uint64_t)request, index, p->e);
}

static int add_message(struct trace_program *p, const struct trace_event *event)
{
    struct post own;
    bool skip;
    if (message(p, event, event->kind == TRACE_RECV, &own, &skip) < 0) {
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
    return post(p, &own, event->immediate, event->request);
}

/* A send and a receive at a time, either of which may be NULL. With Schedgen what follows waits for
 * both, without an operation in which they end. */
static int exchange(struct trace_program *p, const struct tan_op_spec *send,
                    const struct tan_op_spec *receive)
{
    uint32_t sent = TAN_OP_NONE;
    uint32_t joined;
    const uint32_t first = p->ops;
    const bool apart = p->job->algorithms.schedgen && send != NULL && receive != NULL;
    if ((send != NULL && append(p, send, &sent) < 0) ||
        (receive != NULL && append(p, receive, &joined) < 0) ||
        (!apart && join(p, first, &joined) < 0)) {
        return -1;
    }
    go_on_after(p, joined, TAN_AFTER_FINISH);
    p->now.also = apart ? sent : TAN_OP_NONE;
    return 0;
}

/* In a larger job it may become several, one after the other. */
static int add_sendrecv(struct trace_program *p, const struct trace_event *event)
{
    struct tan_op_spec *spec[2] = {NULL, NULL};
    uint64_t more = 0;
    uint32_t n[2] = {0, 0};
    int result = 0;
    for (int i = 0; i < 2 && result == 0; i++) {
        struct post own;
        bool skip;
        result = message(p, event, i == 1, &own, &skip);
        if (result == 0 && !skip && (result = in_place(p, &own, &more)) == 0 &&
            (result = operations_of(p, &own)) == 0) {
            spec[i] = p->spec; /* kept while the other half is made */
            n[i] = p->n_specs;
            p->spec = NULL;
            p->spec_room = 0;
        }
    }
    for (uint32_t k = 0; result == 0 && (k == 0 || k < n[0] || k < n[1]); k++) {
        result = exchange(p, k < n[0] ? &spec[0][k] : NULL, k < n[1] ? &spec[1][k] : NULL);
    }
    free(spec[0]);
    free(spec[1]);
    return result < 0 ? -1 : append_calculation(p, more);
}

/* Tell the survey what an open receive has got. */
static int survey_got(struct trace_program *p, uint32_t number, const struct trace_completed *c)
{
    struct trace_survey *survey = p->job->survey;
    struct trace_open_receive *open = &survey->open[p->rank].list[number];
    open->peer = c->source;
    open->tag = c->tag;
    return trace_survey_message(survey, open->place, p->job->comms.list[open->place].size, c->tag,
                                open->own, (uint32_t)c->source, true, open->call, p->e);
}

/* An open receive gets the message that it got in the trace: another one, which the simulation has
 * earlier, may be what a later receive or collective operation of the program waits for. */
static int name_message(struct trace_program *p, const struct trace_completed *c)
{
    const uint32_t number = trace_map_find(&p->open, (uint64_t)c->request);
    if (number == TRACE_MAP_NONE) {
        return 0;
    }
    const struct open_receive *receive = &p->receive[number];
    trace_map_drop(&p->open, (uint64_t)c->request);
    if (c->source < 0) {
        return 0;
    }
    if (c->source >= p->job->comms.list[receive->comm].size || c->tag < 0) {
        return fail(p, "it has got a message from no rank of its communicator");
    }
    const int64_t tag = tag_of(p, receive->comm, c->tag);
    if (tag < 0) {
        return -1;
    }
    tan_schedule_name_message(p->job->builder, receive->op,
                              global_rank(p, receive->comm, c->source), (uint32_t)tag);
    return p->job->survey == NULL ? 0 : survey_got(p, number, c);
}

/* Whether an MPI_Cancel was in time. */
static int note_cancelled(struct trace_program *p, int64_t number, bool cancelled)
{
    struct trace_map *map = &p->job->cancelled;
    const uint64_t request = request_of(p, number);
    if (!cancelled && trace_map_find(map, request) == TRACE_MAP_NONE) {
        return 0;
    }
    p->job->surprised = p->job->surprised || cancelled;
    return trace_map_set(map, request, cancelled, p->e);
}

/* Operations of earlier blocks are no longer known; where one is cancelled the trace is read whole.
 */
static bool is_send(const struct trace_program *p, uint32_t op)
{
    const struct tan_schedule_builder *b = p->job->builder;
    const uint32_t before = p->ops - tan_schedule_added(b);
    return op >= before && tan_op_kind(&tan_schedule_added_ops(b)[op - before]) == TAN_OP_SEND;
}

/* Receives that are being cancelled count as cancelled unless a later call completes them; sends
 * that no call completes count as sent. */
static int add_cancels(struct trace_program *p, const struct trace_event *event)
{
    int result = 0;
    for (uint32_t i = 0; i < event->n_completed && result == 0; i++) {
        const int64_t number = event->completed[i].request;
        const uint32_t op = trace_map_find(&p->requests, (uint64_t)number);
        if (op != TRACE_MAP_NONE && !is_send(p, op) &&
            trace_map_find(&p->job->cancelled, request_of(p, number)) == TRACE_MAP_NONE) {
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
        const uint32_t op = trace_map_find(&p->requests, (uint64_t)c->request);
        if (op == TRACE_MAP_NONE) {
            continue; /* with MPI_PROC_NULL, or not active */
        }
        if (name_message(p, c) < 0) {
            return -1;
        }
        trace_map_drop(&p->requests, (uint64_t)c->request);
        if (note_cancelled(p, c->request, c->source == TRACE_CANCELLED) < 0) {
            return -1;
        }
        if ((joined == TAN_OP_NONE && append(p, &nothing, &joined) < 0) ||
            wait_for(p, joined, op, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    if (joined != TAN_OP_NONE) {
        go_on_after(p, joined, TAN_AFTER_FINISH);
    }
    return 0;
}

static int start(struct trace_program *p, int64_t request)
{
    struct persistent *persistent = find_persistent(p, request);
    if (persistent == NULL) { /* with MPI_PROC_NULL */
        return 0;
    }
    persistent->start = ++p->n_starts;
    return will_be_cancelled(p, request) ? 0 : post(p, &persistent->post, true, request);
}

static int add_starts(struct trace_program *p, const struct trace_event *event)
{
    int result = 0;
    for (uint32_t i = 0; i < event->n_completed && result == 0; i++) {
        result = start(p, event->completed[i].request);
    }
    return result;
}

/* Collective operations */

static int make_room(struct trace_program *p, uint32_t n)
{
    if (n <= p->list_room) {
        return 0;
    }
    free(p->out);
    free(p->in);
    p->list_room = n;
    p->out = malloc(n * sizeof *p->out);
    p->in = malloc(n * sizeof *p->in);
    return p->out == NULL || p->in == NULL ? tan_fail_nomem(p->e) : 0;
}

static void fill(uint64_t *list, uint32_t n, uint64_t value)
{
    for (uint32_t i = 0; i < n; i++) {
        list[i] = value;
    }
}

/* A list of the traced ranks for those of a larger communicator, at `place`. */
static void repeat(const struct trace_program *p, uint32_t place, uint64_t *to, uint32_t n,
                   const uint64_t *from)
{
    const struct trace_growth *growth = p->job->growth;
    for (uint32_t i = 0; from != NULL && i < n; i++) {
        to[i] = from[growth == NULL ? i : trace_growth_member_origin(growth, place, i)];
    }
}

/* What each rank sends and receives. */
static int sizes_of(struct trace_program *p, const struct trace_event *event, uint32_t place,
                    struct trace_collective *q)
{
    const uint64_t bytes = event->out.bytes;
    const uint64_t bytes2 = event->in.bytes;
    if (make_room(p, q->size) < 0) {
        return -1;
    }
    repeat(p, place, p->out, q->size, event->out_list);
    repeat(p, place, p->in, q->size, event->in_list);
    q->bytes = bytes > bytes2 ? bytes : bytes2; /* the other one is 0 for MPI_IN_PLACE */
    switch (event->kind) {
    case TRACE_BARRIER:
        q->bytes = 1;
        break;
    case TRACE_GATHER:
        q->bytes = q->rank == q->root ? bytes2 : bytes;
        break;
    case TRACE_SCATTER:
        q->bytes = q->rank == q->root ? bytes : bytes2;
        break;
    case TRACE_GATHERV:
        fill(p->out, q->size, bytes);
        q->out = p->out;
        q->in = p->in;
        break;
    case TRACE_SCATTERV:
        fill(p->in, q->size, bytes2);
        q->out = p->out;
        q->in = p->in;
        break;
    case TRACE_ALLGATHERV:
        q->in = p->in;
        break;
    case TRACE_ALLTOALLV:
        q->out = event->in_place ? p->in : p->out; /* in place: what is received is what was sent */
        q->in = p->in;
        break;
    case TRACE_REDUCE_SCATTER:
        fill(p->in, q->size, p->out[q->rank]);
        q->out = p->out;
        q->in = p->in;
        break;
    default:
        break;
    }
    return 0;
}

/* Ranks of a job behind other programs, in the schedule. */
static int move_members(struct trace_job *job, struct trace_collective *q, struct tan_error *e)
{
    uint32_t *moved = realloc(job->moved, q->size * sizeof *moved);
    if (moved == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < q->size; i++) {
        moved[i] = job->first + q->member[i];
    }
    q->member = job->moved = moved;
    return 0;
}

/* The ranks of a communicator, and which of them is the root. */
static int members_of(struct trace_program *p, const struct trace_comm *comm, uint32_t place,
                      struct trace_collective *q)
{
    struct trace_growth *growth = p->job->growth;
    q->size = comm->size;
    q->member = comm->rank;
    if (growth != NULL) {
        q->member = trace_growth_members(growth, place, p->place, q->rank, &q->size, &q->rank);
        q->root = trace_growth_first(growth, place, q->root);
    }
    if (q->member == NULL) {
        return tan_fail_nomem(p->e);
    }
    return p->job->first == 0 ? 0 : move_members(p->job, q, p->e);
}

static int add_collective(struct trace_program *p, const struct trace_event *event)
{
    uint32_t place;
    const struct trace_comm *comm = comm_of(p, event, &place);
    const int64_t root = event->out.peer;
    if (comm == NULL) {
        return -1;
    }
    if (root < 0 || root >= comm->size || event->comm_size != comm->size ||
        comm->rank[event->comm_rank] != p->rank) {
        return fail(p, "its root is no rank of its communicator, or this rank is none");
    }
    struct trace_collective q = {
        .kind = event->kind, .root = (uint32_t)root, .rank = (uint32_t)event->comm_rank};
    const int64_t tag = tag_of(p, place, -1);
    if (tag < 0 || members_of(p, comm, place, &q) < 0 || sizes_of(p, event, place, &q) < 0) {
        return -1;
    }
    q.tag = (uint32_t)tag;
    if (q.size == 1 && append_calculation(p, (uint64_t)(event->end - event->start) * 1000) < 0) {
        return -1; /* nobody to wait for: it has computed */
    }
    const uint32_t first = p->ops;
    p->ops = trace_collective_make(&p->job->algorithms, &q, p->job->builder, first, p->e);
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
    /* the program goes on when the first messages are on their way */
    const bool goes_on = event->immediate && !p->job->algorithms.schedgen;
    go_on_after(p, goes_on ? first : joined, goes_on ? TAN_AFTER_START : TAN_AFTER_FINISH);
    return event->immediate ? trace_map_set(&p->requests, (uint64_t)event->request, joined, p->e)
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
        return trace_is_collective(event->kind) ? add_collective(p, event) : 0;
    }
}

/* The program has computed for `between`. */
static int compute(struct trace_program *p, int64_t between)
{
    if (p->now.polling && between < POLL_NS) {
        p->now.polled += between;
        return 0;
    }
    if (between == 0 && p->job->algorithms.schedgen) {
        return append_even_empty(p, 0);
    }
    return calculate(p, between);
}

/* A run of tests that ends with one that finds something was a wait, but for what the program did
 * between them: where that took longer than the tests, it worked and tested besides. Where the run
 * ends otherwise, the tests took the program's time, too. */
static int end_polls(struct trace_program *p, const struct trace_event *event)
{
    if (event->kind == TRACE_POLLS) {
        p->now.polled += event->end - event->start;
        p->now.tested += event->inside;
        return 0;
    }
    const bool waited = event->test && p->now.polled - p->now.tested <= p->now.tested;
    const int64_t computed = waited ? p->now.polled - p->now.tested : p->now.polled;
    if (p->place == p->own->place && p->thread == 0) {
        p->own->polled += (double)(p->now.polled - computed) / 1e9;
    }
    p->now.polled = p->now.tested = 0;
    return calculate(p, computed);
}

/* Times are those of the first thread, whose operations alone are marked; others do the same
 * beside. */
static void count(struct trace_program *p, const struct trace_event *event)
{
    struct tan_trace_call *call = &p->job->names->count[event->call];
    const bool polls = event->kind == TRACE_POLLS;
    const uint64_t calls = polls ? (uint64_t)event->polls : 1;
    p->own->calls += calls;
    call->calls += calls;
    call->bytes += event->kind == TRACE_RECV ? event->in.bytes : event->out.bytes;
    if (p->thread == 0) {
        const double inside = (double)(polls ? event->inside : event->end - event->start) / 1e9;
        p->own->in_mpi += inside;
        p->own->run += (double)(event->end - p->now.last) / 1e9;
        call->seconds += inside;
    }
}

static int begin(struct trace_program *p, const struct trace_event *event)
{
    if (p->began) {
        return fail(p, "MPI_Init stands here for a second time");
    }
    p->began = true;
    p->now.last = event->end;
    const int result = calculate(p, (int64_t)llround(p->own->started * 1e9));
    p->started = p->now;
    return result;
}

/* Threads */

/* A thread that has called nothing yet begins behind MPI_Init. */
static int switch_to(struct trace_program *p, uint32_t thread)
{
    if (p->job->growth != NULL || p->job->survey != NULL) {
        return fail(p,
                    "calls of a second thread begin here, and of programs with several threads no "
                    "larger job can be made (--extrapolate)");
    }
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
    tan_schedule_cpu(p->job->builder, (uint8_t)thread); /* computes beside the others */
    p->job->wild = true; /* blocks of a schedule have one end, not one of each thread */
    return 0;
}

/* Wait for what the other threads have done. */
static int join_threads(struct trace_program *p)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    uint32_t joined;
    if (p->n_threads == 0) {
        return 0;
    }
    if (append(p, &nothing, &joined) < 0) {
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
        return fail(p, "a call stands before MPI_Init");
    }
    if (event->thread != p->thread && switch_to(p, event->thread) < 0) {
        return -1;
    }
    if (event->start < p->now.last || event->end < event->start) {
        return fail(p, "this call begins before the one before it has ended, or ends before it "
                       "begins");
    }
    if (compute(p, event->start - p->now.last) < 0 || end_polls(p, event) < 0) {
        return -1;
    }
    p->now.polling = event->kind == TRACE_POLLS;
    if (p->place == p->own->place) { /* the other ranks that follow it are the same */
        count(p, event);
    }
    p->now.last = event->end;
    if (event->kind == TRACE_UNKNOWN) {
        trace_remark(p->job->trace, "%s is not simulated, and its time is left out",
                     p->job->names->count[event->call].name);
    }
    p->ended = event->kind == TRACE_FINALIZE;
    if (p->ended && join_threads(p) < 0) {
        return -1;
    }
    const uint32_t first = p->ops;
    return add_operations(p, event) < 0 ? -1
                                        : mark(p, first, TAN_TRACE_COMPUTATION + 1 + event->call);
}

int trace_program_add(struct trace_program *p, const struct trace_event *event, struct tan_error *e)
{
    p->e = e;
    p->line = event->line;
    switch (event->kind) {
    case TRACE_COMM:
        return add_comm(p, event);
    case TRACE_INIT:
        return begin(p, event);
    case TRACE_LOCAL: /* part of the computation around it */
        break;
    default:
        if (!p->job->algorithms.schedgen || !(event->test || event->kind == TRACE_POLLS)) {
            return add_call(p, event);
        }
    }
    return p->began ? 0 : fail(p, "a call stands before MPI_Init");
}

struct trace_program *trace_program_begin(struct trace_job *job, uint32_t rank, uint32_t place,
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
                                .place = place,
                                .path = path,
                                .now = {.anchor = TAN_OP_NONE, .also = TAN_OP_NONE}};
    return p;
}

bool trace_program_began(const struct trace_program *p)
{
    return p->began;
}

bool trace_program_ended(const struct trace_program *p)
{
    return p->ended;
}

uint32_t trace_program_anchor(const struct trace_program *p)
{
    return p->now.anchor;
}

void trace_program_end(struct trace_program *p)
{
    if (p != NULL) {
        trace_map_clear(&p->comms);
        trace_map_clear(&p->occurrence);
        trace_map_clear(&p->requests);
        trace_map_clear(&p->open);
        trace_map_clear(&p->sent_from);
        free(p->receive);
        free(p->persistent);
        free(p->threads);
        free(p->spec);
        free(p->out);
        free(p->in);
        free(p);
    }
}
