/* trace_schedule.c - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/trace/trace_calls.h"
#include "sim/trace/trace_collectives.h"
#include "sim/trace/trace_comms.h"
#include "sim/trace/trace_files.h"
#include "sim/trace/trace_map.h"

/* Between tests that found nothing a program that only waits does less than this. */
enum { POLL_NS = 5000 };

enum { FIELDS = 24, KINDS = 128, BUFFER = 1 << 20 };

/* A send or receive that is started again and again. */
struct persistent {
    uint64_t request;
    struct tan_op_spec spec;
};

/* All that is kept over the ranks. */
struct reader {
    const char *dir;
    uint32_t copies;
    uint32_t *all; /* ranks of the communicator of the last collective operation over all copies */
    struct trace_files files;
    struct trace_algorithms algorithms;
    struct trace_comms comms;
    struct trace_map tags;      /* from communicator and tag to the schedule's tag */
    struct trace_map cancelled; /* requests that end so: rank and number -> 1 */
    bool surprised;             /* one of them is in the schedule */
    struct tan_schedule_builder *builder;
    struct tan_trace *trace;
    struct trace_call kinds[KINDS]; /* calls by a hash of their names */
    struct tan_trace_call *count[KINDS];
    struct tan_error *e;
};

/* One rank while it is read. */
struct rank_reader {
    struct reader *r;
    uint32_t rank;
    uint32_t shift; /* from the traced ranks to those of this copy */
    const char *path;
    uint32_t line;
    char *field[FIELDS];
    int fields;

    struct trace_map comms;      /* its numbers of communicators -> places in r->comms */
    struct trace_map occurrence; /* by place of the first communicator with these ranks */
    struct trace_map requests;   /* request -> operation that completes it */
    struct persistent *persistent;
    size_t n_persistent;
    uint64_t *out, *in; /* lists of bytes */
    uint32_t list_room;

    uint32_t ops;
    uint32_t anchor; /* what the next operation waits for; TAN_OP_NONE: nothing */
    enum tan_requires when;
    int64_t last;   /* end of the call before, nanoseconds */
    bool polling;   /* that call was a test that found nothing */
    int64_t polled; /* nanoseconds of a run of these, with what is between them */
    bool begun, ended;
};

static int fail(struct rank_reader *k, const char *problem)
{
    return tan_fail_at(k->r->e, k->path, (int)k->line, 0, "%s", problem);
}

/* Said once. */
__attribute__((format(printf, 2, 3))) static void remark(struct tan_trace *t, const char *format,
                                                         ...)
{
    char text[sizeof t->remark[0]];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < t->n_remarks; i++) {
        if (strcmp(t->remark[i], text) == 0) {
            return;
        }
    }
    if (t->n_remarks < TAN_TRACE_REMARKS) {
        memcpy(t->remark[t->n_remarks++], text, sizeof text);
    }
}

/* Fields */

/* A whole number; false: it is none. `ending` may follow it. */
static bool whole(const char *text, const char *ending, int64_t *value)
{
    char *end;
    *value = strtoll(text, &end, 10);
    return end != text && (*end == '\0' || strchr(ending, *end) != NULL);
}

static int number_of(struct rank_reader *k, int field, int64_t *value)
{
    return field < k->fields && whole(k->field[field], ",", value)
               ? 0
               : fail(k, "this call lacks a number that it should have");
}

/* "TYPE,SIZE,EXTENT" times "COUNT". */
static int bytes_of(struct rank_reader *k, int count, int type, uint64_t *bytes)
{
    int64_t n;
    int64_t size;
    const char *comma = type < k->fields ? strchr(k->field[type], ',') : NULL;
    if (number_of(k, count, &n) < 0) {
        return -1;
    }
    if (comma == NULL || !whole(comma + 1, ",", &size) || n < 0 || size < 0 ||
        (size > 0 && n > (int64_t)(TAN_SCHEDULE_MAX_BYTES / (uint64_t)size))) {
        return fail(k, "this call's count or type is not one");
    }
    *bytes = (uint64_t)n * (uint64_t)size;
    return 0;
}

/* "4,0,8" times the type's size. */
static int list_of(struct rank_reader *k, int counts, int type, uint64_t *list, uint32_t n)
{
    int64_t size;
    const char *comma = type < k->fields ? strchr(k->field[type], ',') : NULL;
    if (comma == NULL || !whole(comma + 1, ",", &size) || size < 0 || counts >= k->fields) {
        return fail(k, "this call's type is not one");
    }
    const char *at = k->field[counts];
    for (uint32_t i = 0; i < n; i++) {
        int64_t count;
        if (at == NULL || !whole(at, ",", &count) || count < 0 || count > INT32_MAX) {
            return fail(k, "this call has not a count for each rank");
        }
        list[i] = (uint64_t)count * (uint64_t)size;
        at = strchr(at, ',');
        /* of several copies the counts come again */
        at = at != NULL ? at + 1 : (i + 1) % k->r->files.n == 0 ? k->field[counts] : NULL;
    }
    return 0;
}

/* "TIME" in microseconds, of whose decimals the first three count; nanoseconds. */
static int time_of(struct rank_reader *k, int field, int64_t *ns)
{
    enum { DECIMALS = 3 };
    const int64_t most = INT64_MAX / 4000;
    char *end;
    if (field >= k->fields) {
        return fail(k, "this call has fewer fields than it should");
    }
    const int64_t us = strtoll(k->field[field], &end, 10);
    const bool begins = end != k->field[field] && us >= 0 && us < most;
    *ns = us;
    for (int i = 0; i < DECIMALS; i++) {
        const bool digit = (i > 0 || *end == '.') && end[i == 0] >= '0' && end[i == 0] <= '9';
        *ns = 10 * *ns + (digit ? end[i == 0] - '0' : 0);
        end += digit ? 1 + (i == 0) : 0;
    }
    end += strspn(end, "0123456789");
    return begins && *end == '\0' ? 0 : fail(k, "this call's time is not one");
}

static const struct trace_comm *comm_of(struct rank_reader *k, int field, uint32_t *place)
{
    int64_t id;
    if (number_of(k, field, &id) < 0) {
        return NULL;
    }
    *place = trace_map_find(&k->comms, (uint64_t)id);
    if (*place != TRACE_MAP_NONE) {
        return &k->r->comms.list[*place];
    }
    /* liballprof has no lines for communicators: one with all ranks is the world */
    const char *size = strrchr(k->field[field], ',');
    int64_t n;
    if (size != NULL && whole(size + 1, "", &n) && n == k->r->files.n &&
        trace_map_set(&k->comms, (uint64_t)id, 0, k->r->e) == 0) {
        *place = 0;
        return &k->r->comms.list[0];
    }
    fail(k, "its communicator has no line \"# comm\" before it");
    return NULL;
}

/* Operations */

static int add(struct rank_reader *k, const struct tan_op_spec *spec, uint32_t *index)
{
    if (tan_schedule_add(k->r->builder, spec, 0, index, k->r->e) < 0) {
        return tan_fail_at(k->r->e, k->path, (int)k->line, 0, "%s", k->r->e->text);
    }
    k->ops = *index + 1;
    return 0;
}

static int wait_for(struct rank_reader *k, uint32_t index, uint32_t on, enum tan_requires when)
{
    return on == TAN_OP_NONE ? 0 : tan_schedule_require(k->r->builder, index, on, when, k->r->e);
}

/* An operation behind everything before it. */
static int append(struct rank_reader *k, const struct tan_op_spec *spec, uint32_t *index)
{
    return add(k, spec, index) < 0 ? -1 : wait_for(k, *index, k->anchor, k->when);
}

static void go_on_after(struct rank_reader *k, uint32_t index, enum tan_requires when)
{
    k->anchor = index;
    k->when = when;
}

static int calculate(struct rank_reader *k, int64_t ns)
{
    const struct tan_op_spec spec = {.kind = TAN_OP_CALC, .amount = (uint64_t)ns * 1000};
    uint32_t index;
    if (ns == 0) {
        return 0;
    }
    if (append(k, &spec, &index) < 0) {
        return -1;
    }
    go_on_after(k, index, TAN_AFTER_FINISH);
    return 0;
}

/* The schedule's tag of messages with this tag in a communicator; -1: of its collective ones. */
static int64_t tag_of(struct reader *r, uint32_t comm, int64_t tag)
{
    const uint64_t key = (uint64_t)comm << 32 | (uint32_t)(tag + 1);
    uint32_t found = trace_map_find(&r->tags, key);
    if (found == TRACE_MAP_NONE) {
        found = r->tags.used;
        if (trace_map_set(&r->tags, key, found, r->e) < 0) {
            return -1;
        }
    }
    return found;
}

enum { ANY = -1, NOBODY = -2, CANCELLED = -3 };

/* A send or receive of the call's fields; *skip: it is with MPI_PROC_NULL. `from` and `tagged` tell
 * where a message of any source came from; NOBODY: not known. */
static int message(struct rank_reader *k, const struct trace_call *c, bool second, int64_t from,
                   int64_t tagged, struct tan_op_spec *spec, bool *skip)
{
    const bool receives = c->kind == TRACE_RECV || second;
    int64_t peer;
    int64_t tag;
    uint32_t place;
    uint64_t bytes;
    const struct trace_comm *comm = comm_of(k, c->comm, &place);
    if (comm == NULL || number_of(k, second ? c->peer2 : c->peer, &peer) < 0 ||
        number_of(k, second ? c->tag2 : c->tag, &tag) < 0 ||
        bytes_of(k, second ? c->count2 : c->count, second ? c->type2 : c->type, &bytes) < 0) {
        return -1;
    }
    *skip = peer == NOBODY;
    if (*skip) {
        return 0;
    }
    if (receives && from >= 0) {
        peer = peer == ANY ? from : peer;
        tag = tag == ANY ? tagged : tag;
    }
    if (peer >= comm->size || peer < ANY || (peer == ANY && !receives) || tag < ANY ||
        (tag == ANY && !receives)) {
        return fail(k, "its peer is no rank of its communicator, or its tag is not one");
    }
    const int64_t mapped = tag == ANY ? 0 : tag_of(k->r, place, tag);
    if (mapped < 0) {
        return -1;
    }
    *spec = (struct tan_op_spec){
        .kind = receives ? TAN_OP_RECV : TAN_OP_SEND,
        .amount = bytes,
        .peer = peer == ANY ? TAN_ANY_SOURCE : comm->rank[peer] + k->shift,
        .tag = tag == ANY ? TAN_ANY_TAG : (uint32_t)mapped,
    };
    return 0;
}

/* What stands behind END, ";NUMBER,SOURCE,TAG,BYTES" or the number of a new request; "": nothing.
 */
static const char *addition(const struct rank_reader *k, const struct trace_call *c)
{
    return c->end + 1 < k->fields ? k->field[c->end + 1] : "";
}

/* The first ";NUMBER,SOURCE,TAG" from `at` on; NULL: there is none. */
static const char *next_completed(const char *at, int64_t *request, int64_t *source, int64_t *tag)
{
    char *end;
    at = strchr(at, ';');
    if (at == NULL) {
        return NULL;
    }
    *request = strtoll(at + 1, &end, 10);
    *source = *tag = NOBODY;
    if (*end == ',') {
        *source = strtoll(end + 1, &end, 10);
        *tag = *end == ',' ? strtoll(end + 1, &end, 10) : NOBODY;
    }
    return end;
}

/* The key of a call's new request: its number, or in liballprof's traces its address. */
static int new_request(struct rank_reader *k, const struct trace_call *c, uint64_t *key)
{
    int64_t value;
    if (whole(addition(k, c), "", &value)) {
        *key = (uint64_t)value;
        return 0;
    }
    *key = UINT64_MAX;
    if (number_of(k, c->request, &value) < 0) {
        return -1;
    }
    *key = (uint64_t)value;
    return 0;
}

static int keep_persistent(struct rank_reader *k, uint64_t request, const struct tan_op_spec *spec)
{
    struct persistent *more = realloc(k->persistent, (k->n_persistent + 1) * sizeof *more);
    if (more == NULL) {
        return tan_fail_nomem(k->r->e);
    }
    k->persistent = more;
    more[k->n_persistent++] = (struct persistent){request, *spec};
    return 0;
}

/* A request among those of all ranks. */
static uint64_t request_of(const struct rank_reader *k, uint64_t number)
{
    return (uint64_t)k->rank << 40 ^ number;
}

static int replay_message(struct rank_reader *k, const struct trace_call *c)
{
    struct tan_op_spec spec;
    int64_t request = -1;
    int64_t from = NOBODY;
    int64_t tag = NOBODY;
    uint64_t key = 0;
    uint32_t index;
    bool skip;
    if (!c->immediate) {
        next_completed(addition(k, c), &request, &from, &tag);
    }
    if (message(k, c, false, from, tag, &spec, &skip) < 0 ||
        (c->immediate && new_request(k, c, &key) < 0)) {
        return -1;
    }
    if (skip) {
        return 0;
    }
    if (c->persistent) {
        return keep_persistent(k, key, &spec);
    }
    if (c->immediate && trace_map_find(&k->r->cancelled, request_of(k, key)) != TRACE_MAP_NONE) {
        return 0;
    }
    if (append(k, &spec, &index) < 0) {
        return -1;
    }
    go_on_after(k, index, c->immediate ? TAN_AFTER_START : TAN_AFTER_FINISH);
    return c->immediate ? trace_map_set(&k->requests, key, index, k->r->e) : 0;
}

/* An empty calculation behind the operations from `from` on, and what was before them. */
static int join(struct rank_reader *k, uint32_t from, uint32_t *joined)
{
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    const uint32_t to = k->ops;
    if (append(k, &nothing, joined) < 0) {
        return -1;
    }
    for (uint32_t i = from; i < to; i++) {
        if (wait_for(k, *joined, i, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    return 0;
}

static int replay_sendrecv(struct rank_reader *k, const struct trace_call *c)
{
    struct tan_op_spec spec[2];
    bool skip[2];
    int64_t request;
    int64_t from = NOBODY;
    int64_t tag = NOBODY;
    uint32_t index;
    const uint32_t first = k->ops;
    next_completed(addition(k, c), &request, &from, &tag);
    if (message(k, c, false, NOBODY, NOBODY, &spec[0], &skip[0]) < 0 ||
        message(k, c, true, from, tag, &spec[1], &skip[1]) < 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (!skip[i] && append(k, &spec[i], &index) < 0) {
            return -1;
        }
    }
    if (join(k, first, &index) < 0) {
        return -1;
    }
    go_on_after(k, index, TAN_AFTER_FINISH);
    return 0;
}

/* Wait for requests: those behind END, or in liballprof's traces those at an address. */
static int replay_completion(struct rank_reader *k, const struct trace_call *c)
{
    enum { REQUEST_BYTES = 8 }; /* of Open MPI, for which liballprof was written */
    const char *at = addition(k, c);
    const struct tan_op_spec nothing = {.kind = TAN_OP_CALC};
    uint32_t joined = TAN_OP_NONE;
    int64_t request;
    int64_t source;
    int64_t tag;
    int64_t left = 0;
    int64_t address = 0;
    const bool numbered = k->fields > c->end + 1;
    if (!numbered && c->request > 0) {
        left = 1;
        if (number_of(k, c->request, &address) < 0 || (c->n > 0 && number_of(k, c->n, &left) < 0)) {
            return -1;
        }
    }
    for (;;) {
        if (numbered) {
            at = next_completed(at, &request, &source, &tag);
            if (at == NULL) {
                break;
            }
        } else if (left-- > 0) {
            request = address;
            address += REQUEST_BYTES;
        } else {
            break;
        }
        const uint32_t op = trace_map_find(&k->requests, (uint64_t)request);
        if (op == TRACE_MAP_NONE) {
            continue; /* with MPI_PROC_NULL, or not active */
        }
        trace_map_drop(&k->requests, (uint64_t)request);
        if (numbered && source == CANCELLED) {
            k->r->surprised = true;
            if (trace_map_set(&k->r->cancelled, request_of(k, (uint64_t)request), 1, k->r->e) < 0) {
                return -1;
            }
        }
        if ((joined == TAN_OP_NONE && append(k, &nothing, &joined) < 0) ||
            wait_for(k, joined, op, TAN_AFTER_FINISH) < 0) {
            return -1;
        }
    }
    if (joined != TAN_OP_NONE) {
        go_on_after(k, joined, TAN_AFTER_FINISH);
    }
    return 0;
}

static int replay_start(struct rank_reader *k, const struct trace_call *c)
{
    const char *at = addition(k, c);
    int64_t request;
    int64_t source;
    int64_t tag;
    while ((at = next_completed(at, &request, &source, &tag)) != NULL) {
        for (size_t i = k->n_persistent; i-- > 0;) {
            uint32_t index;
            if (k->persistent[i].request != (uint64_t)request) {
                continue;
            }
            if (append(k, &k->persistent[i].spec, &index) < 0 ||
                trace_map_set(&k->requests, (uint64_t)request, index, k->r->e) < 0) {
                return -1;
            }
            go_on_after(k, index, TAN_AFTER_START);
            break;
        }
    }
    return 0;
}

static int make_room(struct rank_reader *k, uint32_t n)
{
    if (n <= k->list_room) {
        return 0;
    }
    free(k->out);
    free(k->in);
    k->list_room = n;
    k->out = malloc(n * sizeof *k->out);
    k->in = malloc(n * sizeof *k->in);
    return k->out == NULL || k->in == NULL ? tan_fail_nomem(k->r->e) : 0;
}

static void fill(uint64_t *list, uint32_t n, uint64_t value)
{
    for (uint32_t i = 0; i < n; i++) {
        list[i] = value;
    }
}

/* What each rank sends and receives, from the fields of the call. */
static int sizes_of(struct rank_reader *k, const struct trace_call *c, struct trace_collective *q)
{
    uint64_t bytes = 0;
    uint64_t bytes2 = 0;
    int result = make_room(k, q->size);
    if (result == 0 && c->count > 0) {
        result = bytes_of(k, c->count, c->type, &bytes);
    }
    if (result == 0 && c->count2 > 0) {
        result = bytes_of(k, c->count2, c->type2, &bytes2);
    }
    if (result == 0 && c->counts > 0) {
        result = list_of(k, c->counts, c->type, k->out, q->size);
    }
    if (result == 0 && c->counts2 > 0) {
        result = list_of(k, c->counts2, c->type2, k->in, q->size);
    }
    if (result < 0) {
        return -1;
    }
    q->bytes = bytes > bytes2 ? bytes : bytes2; /* the other one is 0 for MPI_IN_PLACE */
    switch (c->kind) {
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
        fill(k->out, q->size, bytes);
        q->out = k->out;
        q->in = k->in;
        break;
    case TRACE_SCATTERV:
        fill(k->in, q->size, bytes2);
        q->out = k->out;
        q->in = k->in;
        break;
    case TRACE_ALLGATHERV:
        q->in = k->in;
        break;
    case TRACE_ALLTOALLV:
        q->out = k->out;
        q->in = k->in;
        /* in place: what is received is what was sent */
        for (uint32_t i = 0; i < q->size; i++) {
            k->out[i] = strncmp(k->field[c->type], "0,0,", 4) == 0 ? k->in[i] : k->out[i];
        }
        break;
    case TRACE_REDUCE_SCATTER:
        fill(k->in, q->size, k->out[q->rank]);
        q->out = k->out;
        q->in = k->in;
        break;
    default:
        break;
    }
    return 0;
}

/* The ranks of a communicator: in the copies, of all of them where it has all ranks. */
static int members_of(struct rank_reader *k, const struct trace_comm *comm,
                      struct trace_collective *q)
{
    const uint32_t p = k->r->files.n;
    const bool grows = comm->size == p;
    q->size = grows ? comm->size * k->r->copies : comm->size;
    q->member = comm->rank;
    if (k->r->copies == 1) {
        return 0;
    }
    uint32_t *all = realloc(k->r->all, (size_t)p * k->r->copies * sizeof *all);
    if (all == NULL) {
        return tan_fail_nomem(k->r->e);
    }
    for (uint32_t i = 0; i < q->size; i++) {
        all[i] = comm->rank[i % comm->size] + (grows ? i / comm->size * p : k->shift);
    }
    q->rank += grows ? k->shift : 0;
    q->member = k->r->all = all;
    return 0;
}

static int replay_collective(struct rank_reader *k, const struct trace_call *c)
{
    struct trace_collective q = {.kind = c->kind};
    int64_t root = 0;
    uint64_t key = 0;
    uint32_t place;
    uint32_t joined;
    const struct trace_comm *comm = comm_of(k, c->comm, &place);
    if (comm == NULL || (c->peer > 0 && number_of(k, c->peer, &root) < 0) ||
        (c->immediate && new_request(k, c, &key) < 0)) {
        return -1;
    }
    const char *comma = strchr(k->field[c->comm], ',');
    int64_t own;
    if (root < 0 || root >= comm->size || comma == NULL || !whole(comma + 1, ",", &own) ||
        own < 0 || own >= comm->size || comm->rank[own] != k->rank) {
        return fail(k, "its root is no rank of its communicator, or this rank is none");
    }
    q.root = (uint32_t)root;
    q.rank = (uint32_t)own;
    if (members_of(k, comm, &q) < 0) {
        return -1;
    }
    const int64_t tag = tag_of(k->r, place, -1);
    if (tag < 0 || sizes_of(k, c, &q) < 0) {
        return -1;
    }
    q.tag = (uint32_t)tag;
    const uint32_t first = k->ops;
    k->ops = trace_collective_make(&k->r->algorithms, &q, k->r->builder, first, k->r->e);
    if (k->r->e->status != TAN_DONE) {
        return -1;
    }
    for (uint32_t i = first; i < k->ops; i++) {
        if (wait_for(k, i, k->anchor, k->when) < 0) {
            return -1;
        }
    }
    if (join(k, first, &joined) < 0) {
        return -1;
    }
    if (c->immediate) {
        /* the program goes on when the first messages are on their way */
        go_on_after(k, first, TAN_AFTER_START);
        return trace_map_set(&k->requests, key, joined, k->r->e);
    }
    go_on_after(k, joined, TAN_AFTER_FINISH);
    return 0;
}

/* Lines */

static void split(struct rank_reader *k, char *line)
{
    k->fields = 0;
    for (char *at = line; at != NULL && k->fields < FIELDS;) {
        char *colon = strchr(at, ':');
        k->field[k->fields++] = at;
        if (colon != NULL) {
            *colon++ = '\0';
        }
        at = colon;
    }
}

/* The row of a call and where its numbers are counted. */
static const struct trace_call *call_of(struct reader *r, const char *name,
                                        struct tan_trace_call **count)
{
    const size_t length = strlen(name);
    uint32_t h = (uint32_t)length;
    for (size_t i = 0; i < length; i++) {
        h = h * 31 + (unsigned char)name[i];
    }
    for (uint32_t i = 0; i < KINDS; i++) {
        const uint32_t at = (h + i) % KINDS;
        if (r->count[at] != NULL && strcmp(r->count[at]->name, name) == 0) {
            *count = r->count[at];
            return &r->kinds[at];
        }
        if (r->count[at] == NULL && r->trace->n_calls < KINDS - 1) {
            struct tan_trace_call *c = &r->trace->call[r->trace->n_calls++];
            snprintf(c->name, sizeof c->name, "%s", name);
            r->kinds[at] = trace_call_find(name, length);
            *count = r->count[at] = c;
            return &r->kinds[at];
        }
    }
    return NULL;
}

/* "# comm NUMBER = RANK..." */
static int read_comm(struct rank_reader *k, const char *text)
{
    uint32_t *rank = NULL;
    uint32_t size = 0;
    char *end;
    const int64_t id = strtoll(text, &end, 10);
    const char *at = strstr(end, "= ");
    if (at == NULL) {
        remark(k->r->trace,
               "messages between the two groups of an intercommunicator are not simulated");
        return 0;
    }
    rank = malloc(k->r->files.n * sizeof *rank);
    if (rank == NULL) {
        return tan_fail_nomem(k->r->e);
    }
    for (at += 2; *at != '\0'; at = end) {
        const int64_t value = strtoll(at, &end, 10);
        if (end == at || value < 0 || value >= k->r->files.n || size == k->r->files.n) {
            free(rank);
            return fail(k, "a rank of this communicator is none of the trace's");
        }
        rank[size++] = (uint32_t)value;
        while (*end == ' ') {
            end++;
        }
    }
    const int64_t first = trace_comms_find(&k->r->comms, rank, size, 0, k->r->e);
    const uint32_t seen = first < 0 ? 0 : trace_map_find(&k->occurrence, (uint64_t)first);
    const uint32_t occurrence = seen == TRACE_MAP_NONE ? 0 : seen;
    const int64_t place =
        first < 0 ? -1 : trace_comms_find(&k->r->comms, rank, size, occurrence, k->r->e);
    free(rank);
    return place < 0 ||
                   trace_map_set(&k->occurrence, (uint64_t)first, occurrence + 1, k->r->e) < 0 ||
                   trace_map_set(&k->comms, (uint64_t)id, (uint32_t)place, k->r->e) < 0
               ? -1
               : 0;
}

/* Where a computation of `between` has ended. */
static int compute(struct rank_reader *k, int64_t between)
{
    if (k->polling && between < POLL_NS) {
        k->polled += between;
        return 0;
    }
    return calculate(k, between);
}

/* "START:END:NUMBER:TIME": tests that found nothing one after the other, and the time in them. */
static int read_polls(struct rank_reader *k, char *text)
{
    struct tan_trace_rank *own = &k->r->trace->rank[k->rank];
    struct tan_trace_call *count;
    static char name[] = "empty tests";
    int64_t start;
    int64_t end;
    int64_t inside;
    int64_t number;
    split(k, text);
    if (time_of(k, 0, &start) < 0 || time_of(k, 1, &end) < 0 || time_of(k, 3, &inside) < 0 ||
        number_of(k, 2, &number) < 0 || call_of(k->r, name, &count) == NULL) {
        return -1;
    }
    if (!k->begun || start < k->last || end < start || inside > end - start || number < 1) {
        return fail(k,
                    "these tests begin before the call before them has ended, or end before they "
                    "begin");
    }
    if (compute(k, start - k->last) < 0) {
        return -1;
    }
    k->polled += end - start;
    k->polling = true;
    if (k->shift == 0) {
        own->in_mpi += (double)inside / 1e9;
        own->run += (double)(end - k->last) / 1e9;
        own->calls += (uint64_t)number;
        count->calls += (uint64_t)number;
        count->seconds += (double)inside / 1e9;
    }
    k->last = end;
    return 0;
}

static int read_comment(struct rank_reader *k, char *text)
{
    static const char comm[] = "# comm ";
    static const char polls[] = "# polls ";
    static const char holes[] = "# not traced, if they are called: ";
    int of = 0;
    int rank = 0;
    if (strncmp(text, comm, strlen(comm)) == 0) {
        return read_comm(k, text + strlen(comm));
    }
    if (strncmp(text, polls, strlen(polls)) == 0) {
        return read_polls(k, text + strlen(polls));
    }
    if (strncmp(text, holes, strlen(holes)) == 0) {
        remark(k->r->trace, "not traced, if the program has called them: %s", text + strlen(holes));
    }
    sscanf(text, "# tracer: %lf", &k->r->trace->rank[k->rank].tracer);
    if (sscanf(text, "# rank %d of %d", &rank, &of) == 2 &&
        ((uint32_t)of != k->r->files.n || (uint32_t)rank != k->rank)) {
        return tan_fail_at(k->r->e, k->path, (int)k->line, 0,
                           "it is of rank %d of %d, and the folder has %" PRIu32 " files", rank, of,
                           k->r->files.n);
    }
    return 0;
}

static int replay(struct rank_reader *k, const struct trace_call *c)
{
    switch (c->kind) {
    case TRACE_SEND:
    case TRACE_RECV:
        return replay_message(k, c);
    case TRACE_SENDRECV:
        return replay_sendrecv(k, c);
    case TRACE_COMPLETE:
        return replay_completion(k, c);
    case TRACE_START:
        return replay_start(k, c);
    default:
        return trace_is_collective(c->kind) ? replay_collective(k, c) : 0;
    }
}

static uint64_t bytes_moved(struct rank_reader *k, const struct trace_call *c)
{
    uint64_t bytes = 0;
    struct tan_error unwanted = TAN_ERROR_INIT;
    struct tan_error *e = k->r->e;
    k->r->e = &unwanted;
    if (c->count == 0 || bytes_of(k, c->count, c->type, &bytes) < 0) {
        bytes = 0;
    }
    k->r->e = e;
    return bytes;
}

static bool is_test(const struct rank_reader *k)
{
    static const char *const tests[] = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome",
                                        "MPI_Iprobe"};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(k->field[0], tests[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A test that found nothing. */
static bool is_empty_test(const struct rank_reader *k, const struct trace_call *c)
{
    return is_test(k) && strchr(addition(k, c), ';') == NULL;
}

static int read_call(struct rank_reader *k)
{
    struct tan_trace_rank *own = &k->r->trace->rank[k->rank];
    struct tan_trace_call *count;
    const struct trace_call *c = call_of(k->r, k->field[0], &count);
    int64_t start;
    int64_t end;
    if (c == NULL) {
        return fail(k, "this trace has more kinds of calls than there are");
    }
    if (c->kind == TRACE_LOCAL && k->begun) {
        return 0; /* part of the computation around it */
    }
    if (c->kind == TRACE_INIT) {
        if (k->begun || time_of(k, k->fields > c->end ? c->end : 4, &k->last) < 0) {
            return k->begun ? fail(k, "MPI_Init stands here for a second time") : -1;
        }
        k->begun = true;
        return calculate(k, (int64_t)llround(own->started * 1e9));
    }
    if (!k->begun) {
        return fail(k, "a call stands before MPI_Init");
    }
    if (time_of(k, 1, &start) < 0 ||
        time_of(k,
                c->kind == TRACE_UNKNOWN
                    ? (k->fields > 2 && k->field[k->fields - 1][0] == '\0' ? k->fields - 2
                                                                           : k->fields - 1)
                    : c->end,
                &end) < 0) {
        return -1;
    }
    if (start < k->last || end < start) {
        return fail(k, "this call begins before the one before it has ended, or ends before it "
                       "begins");
    }
    const int64_t between = start - k->last;
    const bool empty = is_empty_test(k, c);
    /* A run of tests that ends with one that finds something was a wait. One that ends otherwise
     * was not: the program had something to do between them, and the tests took its time. */
    if (compute(k, between) < 0) {
        return -1;
    }
    if (empty) {
        k->polled += end - start;
    } else {
        if (!is_test(k) && k->polled > 0 && calculate(k, k->polled) < 0) {
            return -1;
        }
        k->polled = 0;
    }
    k->polling = empty;
    if (k->shift == 0) { /* the copies are the same */
        own->in_mpi += (double)(end - start) / 1e9;
        own->run += (double)(end - k->last) / 1e9;
        own->calls++;
        count->calls++;
        count->seconds += (double)(end - start) / 1e9;
        count->bytes += bytes_moved(k, c);
    }
    k->last = end;
    if (c->kind == TRACE_UNKNOWN) {
        remark(k->r->trace, "%s is not simulated, and its time is left out", k->field[0]);
    }
    k->ended = c->kind == TRACE_FINALIZE;
    return replay(k, c);
}

static int read_line(struct rank_reader *k, char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0') {
        return 0;
    }
    if (line[0] == '#') {
        return read_comment(k, line);
    }
    if (strncmp(line, "MPI_", 4) != 0) {
        return fail(k, "this line is neither a call, which begins with MPI_, nor a comment, which "
                       "begins with #");
    }
    split(k, line);
    return read_call(k);
}

/* A whole line; NULL: the file ends here, maybe within a line, which is left out. */
static char *next_line(gzFile file, char **buffer, size_t *room)
{
    size_t used = 0;
    for (;;) {
        if (*room - used < 2) {
            char *more = realloc(*buffer, 2 * *room);
            if (more == NULL) {
                return NULL;
            }
            *buffer = more;
            *room *= 2;
        }
        if (gzgets(file, *buffer + used, (int)(*room - used)) == NULL) {
            return NULL;
        }
        used += strlen(*buffer + used);
        if (used > 0 && (*buffer)[used - 1] == '\n') {
            return *buffer;
        }
    }
}

static int read_file(struct rank_reader *k)
{
    size_t room = 1 << 16;
    char *buffer = malloc(room);
    gzFile file = gzopen(k->path, "rbe");
    int result = buffer == NULL ? tan_fail_nomem(k->r->e)
                 : file == NULL ? tan_fail_errno(k->r->e, "cannot read %s", k->path)
                                : 0;
    char *line;
    if (file != NULL) {
        gzbuffer(file, BUFFER);
    }
    while (result == 0 && (line = next_line(file, &buffer, &room)) != NULL) {
        k->line++;
        result = read_line(k, line);
    }
    if (file != NULL) {
        gzclose_r(file);
    }
    free(buffer);
    if (result == 0 && !k->begun) {
        k->line = 0;
        return tan_fail(k->r->e, "%s: there is no MPI_Init in it: it is no trace, or was cut off",
                        k->path);
    }
    return result;
}

static int read_rank(struct reader *r, uint32_t rank, uint32_t shift)
{
    struct rank_reader k = {
        .r = r, .rank = rank, .shift = shift, .path = r->files.path[rank], .anchor = TAN_OP_NONE};
    int result = tan_schedule_rank(r->builder, rank + shift, r->e);
    result = result < 0 ? -1 : read_file(&k);
    if (result == 0 && !k.ended) {
        r->trace->cut = true;
        remark(r->trace, "at least one rank has no MPI_Finalize: what there is of it is simulated");
    }
    if (result == 0) {
        result = tan_schedule_rank_end(r->builder, NULL, r->e);
    }
    trace_map_clear(&k.comms);
    trace_map_clear(&k.occurrence);
    trace_map_clear(&k.requests);
    free(k.persistent);
    free(k.out);
    free(k.in);
    return result;
}

/* When a rank left MPI_Init, by the clock of rank 0; NaN: its head does not say. */
static double left_init(const char *path)
{
    char line[4096];
    double difference = NAN;
    double end = NAN;
    gzFile file = gzopen(path, "rbe");
    while (file != NULL && isnan(end) && gzgets(file, line, sizeof line) != NULL) {
        sscanf(line, "# Init clockdiff: %lf", &difference);
        if (strncmp(line, "MPI_Init", 8) == 0) {
            const char *last = line;
            for (int colon = 0; colon < 4 && last != NULL; colon++) {
                last = strchr(last + 1, ':');
            }
            end = last == NULL ? 0.0 : strtod(last + 1, NULL);
        }
    }
    if (file != NULL) {
        gzclose_r(file);
    }
    return end - difference * 1e6;
}

/* How far apart ranks left MPI_Init, where all of them say so. */
static void align(struct reader *r)
{
    double first = INFINITY;
    bool known = true;
    for (uint32_t i = 0; i < r->files.n; i++) {
        r->trace->rank[i].started = left_init(r->files.path[i]);
        first = fmin(first, r->trace->rank[i].started);
        known = known && isfinite(r->trace->rank[i].started);
    }
    for (uint32_t i = 0; i < r->files.n; i++) {
        r->trace->rank[i].started = known ? (r->trace->rank[i].started - first) / 1e6 : 0.0;
    }
}

static int by_seconds(const void *a, const void *b)
{
    const struct tan_trace_call *x = a;
    const struct tan_trace_call *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : strcmp(x->name, y->name);
}

static int prepare(struct reader *r, const struct tan_trace_options *o)
{
    struct tan_trace *t = r->trace;
    if (trace_algorithms_named(o->collectives, &r->algorithms, r->e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < o->n_algorithms; i++) {
        if (trace_algorithms_set(&r->algorithms, o->algorithms[i], r->e) < 0) {
            return -1;
        }
    }
    if (trace_files_find(r->dir, &r->files, r->e) < 0) {
        return -1;
    }
    t->ranks = r->files.n;
    t->rank = calloc(t->ranks, sizeof *t->rank);
    t->call = calloc(KINDS, sizeof *t->call);
    uint32_t *world = calloc(t->ranks, sizeof *world);
    for (uint32_t i = 0; world != NULL && i < t->ranks; i++) {
        world[i] = i;
    }
    int result = t->rank == NULL || t->call == NULL || world == NULL ? tan_fail_nomem(r->e) : 0;
    if (result == 0 && trace_comms_find(&r->comms, world, t->ranks, 0, r->e) < 0) {
        result = -1;
    }
    free(world);
    t->copies = r->copies = o->copies > 0 ? o->copies : 1;
    if (result == 0 && r->copies > TAN_SCHEDULE_MAX_RANKS / t->ranks) {
        result = tan_fail_usage(r->e, "--extrapolate: a schedule has at most %" PRIu32 " ranks",
                                TAN_SCHEDULE_MAX_RANKS);
    }
    r->builder = result == 0 ? tan_schedule_begin(t->ranks * r->copies, false, r->e) : NULL;
    return r->builder == NULL ? -1 : 0;
}

/* Local calls are not counted. */
static void sort_calls(struct tan_trace *trace)
{
    size_t n = 0;
    for (size_t i = 0; i < trace->n_calls; i++) {
        if (trace->call[i].calls > 0) {
            trace->call[n++] = trace->call[i];
        }
    }
    trace->n_calls = n;
    qsort(trace->call, n, sizeof *trace->call, by_seconds);
}

/* Read all ranks. NULL without an error: requests were cancelled that are in the schedule by now;
 * they are known from then on. */
static struct tan_schedule *read_all(struct reader *r, const struct tan_trace_options *options)
{
    struct tan_trace *trace = r->trace;
    struct tan_schedule *schedule = NULL;
    r->surprised = false;
    memset(r->count, 0, sizeof r->count);
    int result = prepare(r, options);
    if (result == 0) {
        align(r);
    }
    for (uint32_t i = 0; i < r->files.n * r->copies && result == 0; i++) {
        result = read_rank(r, i % r->files.n, i - i % r->files.n);
    }
    if (result == 0 && !r->surprised) {
        schedule = tan_schedule_seal(r->builder, r->e);
        sort_calls(trace);
    } else if (r->builder != NULL) {
        tan_schedule_abandon(r->builder);
    }
    trace_files_clear(&r->files);
    trace_comms_clear(&r->comms);
    trace_map_clear(&r->tags);
    free(r->all);
    r->all = NULL;
    return schedule;
}

struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e)
{
    *trace = (struct tan_trace){.ranks = 0};
    struct reader r = {.dir = dir, .trace = trace, .e = e};
    struct tan_schedule *schedule = read_all(&r, options);
    if (schedule == NULL && r.surprised && e->status == TAN_DONE) {
        tan_trace_clear(trace);
        schedule = read_all(&r, options);
    }
    trace_map_clear(&r.cancelled);
    return schedule;
}

void tan_trace_clear(struct tan_trace *trace)
{
    free(trace->rank);
    free(trace->call);
    *trace = (struct tan_trace){.ranks = 0};
}

void tan_trace_help(FILE *to)
{
    trace_algorithms_help(to);
}
