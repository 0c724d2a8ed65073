/* trace_otf2.c - one rank's calls in an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call is what stands between Enter and Leave of a region with an MPI call's name: records of
 * messages, requests and collective operations. When it is left, its events are queued. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/calls/trace_archive.h"
#include "sim/calls/trace_otf2_archive.h"
#include "sim/calls/trace_otf2_path.h"
#include "sim/calls/trace_remark.h"

static const uint32_t NO_CALL = UINT32_MAX, UNSEEN = UINT32_MAX - 1;

/* A message that a call sends, receives, or begins to. */
struct message {
    enum trace_class kind;
    bool immediate;
    int64_t request;
    uint32_t comm;
    struct trace_message what;
};

/* Lists that grow, one for each kind of thing that a call has. */
struct list {
    void *item; /* owned */
    size_t n, room;
};

struct trace_otf2_reader {
    struct trace_otf2_archive *a;
    const struct trace_otf2_rank *own;
    uint32_t rank;
    struct trace_names *names;
    struct trace_source source;
    OTF2_EvtReader *events;
    struct tan_error *e;

    uint32_t *call;      /* by region: the number of its name */
    int64_t *comm_rank;  /* of this rank, by communicator; -1: it is none of its ranks */
    size_t next_comm;    /* to be told */
    size_t next_outcome; /* of those that begin */
    bool started;        /* the first event was there */
    int more;            /* of the records: 1 */

    uint32_t region; /* the call's; NO_CALL: outside */
    uint32_t depth;  /* of regions in it */
    int64_t start;
    struct list messages, completed; /* struct message, struct trace_completed */
    bool tested;
    bool collective; /* there is an operation */
    bool begins;     /* which has a request */
    int64_t request;
    struct trace_otf2_outcome operation;

    struct list queue; /* struct trace_event */
    size_t next;
    uint64_t *sizes[2];
};

static void *append_item(struct trace_otf2_reader *r, struct list *l, size_t size)
{
    if (tan_array_reserve(&l->item, &l->room, l->n + 1, size) < 0) {
        tan_fail_nomem(r->e);
        return NULL;
    }
    return (char *)l->item + size * l->n++;
}

/* Calls */

static const struct trace_call *row_of(const struct trace_otf2_reader *r, uint32_t call)
{
    return &r->names->row[call];
}

static const char *name_of(const struct trace_otf2_reader *r)
{
    return r->names->count[r->call[r->region]].name;
}

/* The number of a region's call; NO_CALL: it is another function, or there is an error. */
static uint32_t call_of(struct trace_otf2_reader *r, OTF2_RegionRef region)
{
    const char *name = tan_trace_otf2_call_of(r->a, region);
    if (name == NULL) {
        return NO_CALL;
    }
    if (r->call[region] == UNSEEN) {
        r->call[region] = tan_trace_names_find(r->names, name, strlen(name), r->e);
    }
    return r->call[region];
}

/* An event of the call; NULL: memory is short. */
static struct trace_event *add_event(struct trace_otf2_reader *r, enum trace_class kind,
                                     int64_t start, int64_t end)
{
    struct trace_event *event = append_item(r, &r->queue, sizeof *event);
    if (event != NULL) {
        *event = (struct trace_event){.kind = kind,
                                      .call = r->call[r->region],
                                      .start = start,
                                      .end = end,
                                      .got = {-1, TRACE_NOBODY, TRACE_NOBODY}};
    }
    return event;
}

/* The communicator of an event; false: nothing can be said of its ranks. */
static bool set_comm(struct trace_otf2_reader *r, struct trace_event *event, uint32_t comm)
{
    const struct trace_otf2_comm *c = tan_trace_otf2_comm_of(r->a, comm);
    if (c == NULL || r->comm_rank[comm] < 0) {
        tan_trace_doubt(
            &r->source,
            "messages between the two groups of an intercommunicator, or in a communicator "
            "whose ranks the archive does not tell, are not simulated");
        return false;
    }
    event->comm = comm;
    event->comm_rank = r->comm_rank[comm];
    event->comm_size = c->size;
    return true;
}

/* A rank in a record as a rank of its communicator. */
static int64_t rank_in(const struct trace_otf2_reader *r, uint32_t comm, uint32_t rank)
{
    const struct trace_otf2_comm *c = tan_trace_otf2_comm_of(r->a, comm);
    if (c == NULL || !c->global) {
        return rank;
    }
    int64_t i = 0;
    while (i < c->size && c->rank[i] != rank) {
        i++;
    }
    return i;
}

/* A send or receive with MPI_PROC_NULL leaves no record. */
static bool set_nobody(struct trace_otf2_reader *r, struct trace_event *event)
{
    event->comm = -1;
    event->comm_rank = r->rank;
    event->comm_size = r->a->ranks; /* so it is taken for that of all ranks */
    event->in.peer = event->out.peer = TRACE_NOBODY;
    return true;
}

static void set_message(struct trace_event *event, const struct message *m)
{
    *(m->kind == TRACE_RECV ? &event->in : &event->out) = m->what;
    event->immediate = event->immediate || m->immediate;
    event->request = m->request;
}

/* Both at once; each may be missing. */
static int add_sendrecv(struct trace_otf2_reader *r, int64_t end)
{
    const struct message *m = r->messages.item;
    struct trace_event *event = add_event(r, TRACE_SENDRECV, r->start, end);
    if (event == NULL) {
        return -1;
    }
    set_nobody(r, event);
    for (size_t i = 0; i < r->messages.n; i++) {
        if (!set_comm(r, event, m[i].comm)) {
            event->kind = TRACE_FORGET;
            return 0;
        }
        set_message(event, &m[i]);
    }
    return 0;
}

/* What a call with one message does, or a call that has none, or a call whose messages stand
 * behind it as if they were calls that take no time. */
static int add_messages(struct trace_otf2_reader *r, const struct trace_call *row, int64_t end)
{
    const struct message *m = r->messages.item;
    const bool one = r->messages.n == 1 && (row->kind == TRACE_SEND || row->kind == TRACE_RECV);
    if (!one && add_event(r, TRACE_FORGET, r->start, end) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < r->messages.n; i++) {
        struct trace_event *event = add_event(r, m[i].kind, one ? r->start : end, end);
        if (event == NULL) {
            return -1;
        }
        if (!one) {
            static const char name[] = "started messages";
            event->call = tan_trace_names_find(r->names, name, sizeof name - 1, r->e);
        }
        if (set_comm(r, event, m[i].comm)) {
            set_message(event, &m[i]);
        } else {
            event->kind = TRACE_FORGET;
        }
    }
    return r->e->status == TAN_DONE ? 0 : -1;
}

/* Tests and waits: what has completed. */
static int add_completion(struct trace_otf2_reader *r, const struct trace_call *row, int64_t end)
{
    const bool polls = row->test && r->completed.n == 0;
    struct trace_event *event = add_event(r, polls ? TRACE_POLLS : TRACE_COMPLETE, r->start, end);
    if (event == NULL) {
        return -1;
    }
    event->test = row->test;
    event->completed = r->completed.item;
    event->n_completed = (uint32_t)r->completed.n;
    event->polls = 1;
    event->inside = end - r->start;
    return 0;
}

/* Collective operations. The bytes in a record are those of all ranks together, as the operation is
 * defined, the rank itself included: of an allreduce of b bytes on p ranks p b, of one in place
 * (p - 1) b. In place cannot always be told: where both are possible it is taken not to be. */

static uint64_t rank_share(uint64_t bytes, uint64_t p)
{
    return p == 0 ? 0 : bytes % p == 0 || p == 1 ? bytes / p : bytes / (p - 1);
}

/* The block of a root, which has that of each rank; `other` is 0 where it is in place. */
static uint64_t of_root(uint64_t bytes, uint64_t other, uint64_t p)
{
    return other == 0 && p > 1 ? bytes / (p - 1) : bytes / p;
}

static uint64_t scan_bytes(const struct trace_otf2_outcome *o, uint64_t p, uint64_t rank)
{
    const uint64_t sent = o->sent / (p - rank);
    if (o->op == OTF2_COLLECTIVE_OP_SCAN && o->sent % (p - rank) == 0 &&
        o->received == sent * (rank + 1)) {
        return sent;
    }
    return rank + 1 < p ? o->sent / (p - rank - 1) : rank > 0 ? o->received / rank : 0;
}

/* What all ranks have said of themselves, divided by the ranks that it was for. */
static void join_sizes(uint64_t *to, const struct trace_otf2_comm *c,
                       const struct trace_otf2_outcome *o, uint64_t total, bool divided)
{
    const uint64_t *from = c->sizes + (size_t)o->place * c->size;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        to[i] = divided ? from[i] / c->size : from[i];
        sum += to[i];
    }
    for (uint32_t i = 0; divided && sum != total && c->size > 1 && i < c->size; i++) {
        to[i] = from[i] / (c->size - 1);
    }
}

static int make_sizes(struct trace_otf2_reader *r, uint32_t n)
{
    for (int i = 0; i < 2; i++) {
        free(r->sizes[i]);
        r->sizes[i] = calloc(n, sizeof *r->sizes[i]);
        if (r->sizes[i] == NULL) {
            return tan_fail_nomem(r->e);
        }
    }
    return 0;
}

/* Operations with sizes for each rank: those of the others are in their own records, but of
 * alltoallv, which has only sums. */
static int set_sizes(struct trace_otf2_reader *r, struct trace_event *event,
                     const struct trace_otf2_comm *c, const struct trace_otf2_outcome *o)
{
    if (make_sizes(r, c->size) < 0) {
        return -1;
    }
    const enum trace_class kind = tan_trace_otf2_kind_of(o->op);
    uint64_t *all = r->sizes[0];
    event->out.bytes = o->sent;
    event->in.bytes = o->received;
    if (kind == TRACE_GATHERV) {
        join_sizes(all, c, o, 0, false);
        event->in_list = all;
    } else if (kind == TRACE_SCATTERV) {
        join_sizes(all, c, o, 0, false);
        event->out_list = all;
    } else if (kind == TRACE_ALLGATHERV) {
        join_sizes(all, c, o, o->received, true);
        event->out.bytes = all[event->comm_rank];
        event->in_list = all;
    } else if (kind == TRACE_REDUCE_SCATTER) {
        join_sizes(all, c, o, o->sent, true);
        event->out_list = all;
    } else {
        join_sizes(all, c, o, o->received, true);
        for (uint32_t i = 0; i < c->size; i++) {
            r->sizes[1][i] = o->sent / c->size;
        }
        event->in_list = all;
        event->out_list = r->sizes[1];
        tan_trace_doubt(
            &r->source,
            "of MPI_Alltoallv OTF2 has only the sums of what a rank sends and receives: they "
            "are taken as equal for all ranks");
    }
    return 0;
}

static void set_block(struct trace_event *event, const struct trace_otf2_comm *c,
                      const struct trace_otf2_outcome *o)
{
    const uint64_t p = c->size;
    const bool root = event->out.peer == event->comm_rank;
    switch (tan_trace_otf2_kind_of(o->op)) {
    case TRACE_BCAST:
        event->out.bytes = o->received;
        break;
    case TRACE_GATHER:
        event->out.bytes = o->sent;
        event->in.bytes = root ? of_root(o->received, o->sent, p) : 0;
        break;
    case TRACE_SCATTER:
        event->out.bytes = root ? of_root(o->sent, o->received, p) : 0;
        event->in.bytes = o->received;
        break;
    case TRACE_REDUCE:
        event->out.bytes = root ? of_root(o->received, o->sent, p) : o->sent;
        break;
    case TRACE_SCAN:
        event->out.bytes = scan_bytes(o, p, (uint64_t)event->comm_rank);
        break;
    default:
        event->out.bytes = rank_share(o->sent, p);
    }
}

static int add_collective(struct trace_otf2_reader *r, const struct trace_call *row, int64_t end)
{
    const struct trace_otf2_outcome *o = &r->operation;
    const struct trace_otf2_comm *c = tan_trace_otf2_comm_of(r->a, o->comm);
    const enum trace_class kind = r->collective ? tan_trace_otf2_kind_of(o->op) : TRACE_LOCAL;
    struct trace_event *event = add_event(r, TRACE_FORGET, r->start, end);
    if (event == NULL) {
        return -1;
    }
    if (kind != row->kind) {
        tan_trace_doubt(&r->source,
                        "the archive does not say what %.60s has done, which is not simulated",
                        name_of(r));
        return 0;
    }
    if (!set_comm(r, event, o->comm)) {
        return 0;
    }
    event->kind = kind;
    event->immediate = r->begins;
    event->request = r->request;
    event->out.peer = o->peer == OTF2_COLLECTIVE_ROOT_NONE   ? 0
                      : o->peer == OTF2_COLLECTIVE_ROOT_SELF ? event->comm_rank
                                                             : rank_in(r, o->comm, o->peer);
    if (kind == TRACE_REDUCE_SCATTER || (kind >= TRACE_GATHERV && kind <= TRACE_ALLTOALLV)) {
        return set_sizes(r, event, c, o);
    }
    set_block(event, c, o);
    return 0;
}

static int add_call(struct trace_otf2_reader *r, int64_t end)
{
    const struct trace_call *row = row_of(r, r->call[r->region]);
    struct trace_event *event;
    if (tan_trace_is_collective(row->kind)) {
        return add_collective(r, row, end);
    }
    switch (row->kind) {
    case TRACE_SENDRECV:
        return add_sendrecv(r, end);
    case TRACE_COMPLETE:
        return add_completion(r, row, end);
    case TRACE_SEND:
    case TRACE_RECV:
    case TRACE_START:
        return add_messages(r, row, end);
    case TRACE_LOCAL:
        return r->messages.n > 0 ? add_messages(r, row, end) : 0;
    case TRACE_PROBE:
        if (row->test) {
            tan_trace_doubt(&r->source, "OTF2 does not say whether %.60s has found a message",
                            name_of(r));
        }
        event = add_event(r, TRACE_PROBE, r->start, end);
        return event == NULL ? -1 : 0;
    default:
        event = r->messages.n > 0 ? NULL : add_event(r, row->kind, r->start, end);
        return r->messages.n > 0 ? add_messages(r, row, end) : event == NULL ? -1 : 0;
    }
}

/* Records */

#define RECORD                                                                                     \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at, void *own,                        \
        OTF2_AttributeList *attributes
#define UNUSED_OF_RECORD                                                                           \
    do {                                                                                           \
        (void)location;                                                                            \
        (void)time;                                                                                \
        (void)at;                                                                                  \
        (void)attributes;                                                                          \
    } while (0)

static OTF2_CallbackCode result_of(const struct trace_otf2_reader *r)
{
    return r->e->status == TAN_DONE && r->queue.n == 0 ? OTF2_CALLBACK_SUCCESS
                                                       : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode fail_outside_calls(struct trace_otf2_reader *r)
{
    tan_fail(r->e, "a message, a request or a collective operation stands outside of MPI calls");
    return OTF2_CALLBACK_INTERRUPT;
}

/* Where there is no MPI_Init, the program begins with the first event. */
static void begin_program(struct trace_otf2_reader *r, int64_t time)
{
    r->started = true;
    if (!r->own->began) {
        struct trace_event *event = append_item(r, &r->queue, sizeof *event);
        if (event != NULL) {
            *event = (struct trace_event){.kind = TRACE_INIT, .start = time, .end = time};
        }
    }
}

static OTF2_CallbackCode enter_region(RECORD, OTF2_RegionRef region)
{
    struct trace_otf2_reader *r = own;
    UNUSED_OF_RECORD;
    const int64_t now = tan_trace_otf2_time(r->a, time);
    if (!r->started) {
        begin_program(r, now);
    }
    if (r->region != NO_CALL) {
        r->depth++;
        return result_of(r);
    }
    if (call_of(r, region) != NO_CALL) {
        r->region = region;
        r->depth = 0;
        r->start = now;
        r->messages.n = r->completed.n = 0;
        r->collective = r->begins = r->tested = false;
    }
    return result_of(r);
}

static OTF2_CallbackCode leave_region(RECORD, OTF2_RegionRef region)
{
    struct trace_otf2_reader *r = own;
    (void)region;
    UNUSED_OF_RECORD;
    if (r->region == NO_CALL) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (r->depth > 0) {
        r->depth--;
        return OTF2_CALLBACK_SUCCESS;
    }
    add_call(r, tan_trace_otf2_time(r->a, time));
    r->region = NO_CALL;
    return result_of(r);
}

static OTF2_CallbackCode add_message(struct trace_otf2_reader *r, const struct message *m)
{
    if (r->region == NO_CALL) {
        return fail_outside_calls(r);
    }
    struct message *to = append_item(r, &r->messages, sizeof *to);
    if (to == NULL) {
        return OTF2_CALLBACK_INTERRUPT;
    }
    *to = *m;
    to->what.peer = rank_in(r, m->comm, (uint32_t)m->what.peer);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode add_send(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes)
{
    UNUSED_OF_RECORD;
    return add_message(own,
                       &(struct message){.kind = TRACE_SEND,
                                         .comm = comm,
                                         .what = {.peer = receiver, .tag = tag, .bytes = bytes}});
}

static OTF2_CallbackCode add_isend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t bytes, uint64_t request)
{
    UNUSED_OF_RECORD;
    return add_message(own,
                       &(struct message){.kind = TRACE_SEND,
                                         .immediate = true,
                                         .request = (int64_t)request,
                                         .comm = comm,
                                         .what = {.peer = receiver, .tag = tag, .bytes = bytes}});
}

static OTF2_CallbackCode add_receive(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                     uint64_t bytes)
{
    UNUSED_OF_RECORD;
    return add_message(own,
                       &(struct message){.kind = TRACE_RECV,
                                         .comm = comm,
                                         .what = {.peer = sender, .tag = tag, .bytes = bytes}});
}

static const struct trace_otf2_outcome *next_outcome(struct trace_otf2_reader *r)
{
    return r->next_outcome < r->own->n_outcomes ? &r->own->outcome[r->next_outcome++] : NULL;
}

static OTF2_CallbackCode add_irecv(RECORD, uint64_t request)
{
    struct trace_otf2_reader *r = own;
    UNUSED_OF_RECORD;
    const struct trace_otf2_outcome *o = next_outcome(r);
    if (o != NULL && o->kind == OTF2_UNFINISHED) {
        tan_trace_doubt(
            &r->source,
            "receives that never complete are left out, since OTF2 tells only then what they "
            "are for");
    }
    if (o == NULL || o->kind != OTF2_MESSAGE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    return add_message(
        r, &(struct message){.kind = TRACE_RECV,
                             .immediate = true,
                             .request = (int64_t)request,
                             .comm = o->comm,
                             .what = {.peer = o->peer, .tag = o->tag, .bytes = o->received}});
}

static OTF2_CallbackCode complete_request(struct trace_otf2_reader *r, uint64_t request,
                                          int64_t source)
{
    if (r->region == NO_CALL) {
        return fail_outside_calls(r);
    }
    struct trace_completed *c = append_item(r, &r->completed, sizeof *c);
    if (c == NULL) {
        return OTF2_CALLBACK_INTERRUPT;
    }
    *c = (struct trace_completed){(int64_t)request, source, TRACE_NOBODY};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode isend_complete(RECORD, uint64_t request)
{
    UNUSED_OF_RECORD;
    return complete_request(own, request, TRACE_NOBODY);
}

static OTF2_CallbackCode irecv_complete(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                        uint64_t bytes, uint64_t request)
{
    (void)sender;
    (void)comm;
    (void)tag;
    (void)bytes;
    UNUSED_OF_RECORD;
    return complete_request(own, request, TRACE_NOBODY);
}

static OTF2_CallbackCode request_cancelled(RECORD, uint64_t request)
{
    UNUSED_OF_RECORD;
    return complete_request(own, request, TRACE_CANCELLED);
}

static OTF2_CallbackCode collective_end(RECORD, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                        uint32_t root, uint64_t sent, uint64_t received)
{
    struct trace_otf2_reader *r = own;
    UNUSED_OF_RECORD;
    const enum trace_class kind = tan_trace_otf2_kind_of(op);
    if (r->region == NO_CALL) {
        return fail_outside_calls(r);
    }
    r->collective = true;
    r->operation =
        (struct trace_otf2_outcome){OTF2_OPERATION, op, comm, root, 0, 0, sent, received};
    if (kind == TRACE_REDUCE_SCATTER || (kind >= TRACE_GATHERV && kind <= TRACE_ALLTOALLV)) {
        const struct trace_otf2_outcome *o = next_outcome(r);
        r->operation.place = o != NULL ? o->place : 0;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective_request(RECORD, uint64_t request)
{
    struct trace_otf2_reader *r = own;
    UNUSED_OF_RECORD;
    const struct trace_otf2_outcome *o = next_outcome(r);
    if (r->region == NO_CALL) {
        return fail_outside_calls(r);
    }
    if (o != NULL && o->kind == OTF2_OPERATION) {
        r->collective = r->begins = true;
        r->request = (int64_t)request;
        r->operation = *o;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective_complete(RECORD, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                             uint32_t root, uint64_t sent, uint64_t received,
                                             uint64_t request)
{
    (void)op;
    (void)comm;
    (void)root;
    (void)sent;
    (void)received;
    UNUSED_OF_RECORD;
    return complete_request(own, request, TRACE_NOBODY);
}

/* The format */

static void *open_archive(const char *path, uint32_t *ranks, struct tan_error *e)
{
    char *anchor = tan_trace_otf2_path_anchor(path);
    struct trace_otf2_archive *a = NULL;
    if (anchor == NULL) {
        tan_fail_nomem(e);
    } else {
        a = tan_trace_otf2_path_take(anchor, e) < 0 ? NULL : tan_trace_otf2_archive_open(anchor, e);
        *ranks = a == NULL ? 0 : a->ranks;
    }
    free(anchor);
    return a;
}

static const char *path_of(const void *archive, uint32_t rank)
{
    return ((const struct trace_otf2_archive *)archive)->rank[rank].path;
}

static void close_archive(void *archive)
{
    tan_trace_otf2_archive_close(archive);
}

static void close_rank(void *reader)
{
    struct trace_otf2_reader *r = reader;
    if (r->events != NULL) {
        OTF2_Reader_CloseEvtReader(r->a->reader, r->events);
    }
    free(r->call);
    free(r->comm_rank);
    free(r->messages.item);
    free(r->completed.item);
    free(r->queue.item);
    free(r->sizes[0]);
    free(r->sizes[1]);
    free(r);
}

static int prepare_reader(struct trace_otf2_reader *r, struct tan_error *e)
{
    const struct trace_otf2_archive *a = r->a;
    r->call = malloc((a->n_regions + 1) * sizeof *r->call);
    r->comm_rank = malloc((a->n_comms + 1) * sizeof *r->comm_rank);
    if (r->call == NULL || r->comm_rank == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < a->n_regions; i++) {
        r->call[i] = UNSEEN;
    }
    for (size_t i = 0; i < a->n_comms; i++) {
        const struct trace_otf2_comm *c = tan_trace_otf2_comm_of(a, (uint32_t)i);
        r->comm_rank[i] = c != NULL && c->self ? 0 : -1;
        for (uint32_t k = 0; c != NULL && !c->self && k < c->size; k++) {
            r->comm_rank[i] = c->rank[k] == r->rank ? k : r->comm_rank[i];
        }
    }
    return 0;
}

static int open_events(struct trace_otf2_reader *r, struct tan_error *e)
{
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    r->events = OTF2_Reader_GetEvtReader(r->a->reader, r->own->location);
    if (calls == NULL || r->events == NULL) {
        OTF2_EvtReaderCallbacks_Delete(calls);
        return tan_fail(e, "%s: its events cannot be opened", r->own->path);
    }
    OTF2_EvtReaderCallbacks_SetEnterCallback(calls, enter_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, leave_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, add_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(calls, add_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(calls, isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(calls, add_receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, add_irecv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, irecv_complete);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, request_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(calls, collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls, collective_complete);
    OTF2_Reader_RegisterEvtCallbacks(r->a->reader, r->events, calls, r);
    OTF2_EvtReaderCallbacks_Delete(calls);
    return 0;
}

static void *open_rank(void *archive, uint32_t rank, struct trace_names *names, struct tan_error *e)
{
    struct trace_otf2_reader *r = calloc(1, sizeof *r);
    if (r == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    r->a = archive;
    r->own = &r->a->rank[rank];
    r->rank = rank;
    r->names = names;
    r->region = NO_CALL;
    r->more = 1;
    if (prepare_reader(r, e) < 0 || open_events(r, e) < 0) {
        close_rank(r);
        return NULL;
    }
    return r;
}

/* The next communicator that this rank is in. */
static bool tell_comm(struct trace_otf2_reader *r, struct trace_event *event)
{
    while (r->next_comm < r->a->n_comms) {
        const size_t comm = r->next_comm++;
        if (r->comm_rank[comm] >= 0) {
            const struct trace_otf2_comm *c = &r->a->comm[comm];
            *event = (struct trace_event){.kind = TRACE_COMM,
                                          .comm = (int64_t)comm,
                                          .comm_rank = r->comm_rank[comm],
                                          .comm_size = c->size,
                                          .members = c->self ? &r->rank : c->rank};
            return true;
        }
    }
    return false;
}

static int next_event(void *reader, struct trace_event *event, struct tan_error *e)
{
    struct trace_otf2_reader *r = reader;
    r->e = e;
    if (tell_comm(r, event)) {
        return 1;
    }
    if (r->next == r->queue.n) {
        r->next = r->queue.n = 0;
        while (r->more > 0 && r->queue.n == 0) {
            r->more = tan_trace_otf2_read(r->a, r->events, r->own->path, e);
        }
        if (r->more < 0 || r->queue.n == 0) {
            return r->more < 0 ? -1 : 0;
        }
    }
    *event = ((const struct trace_event *)r->queue.item)[r->next++];
    return 1;
}

static const struct trace_source *source_of(const void *reader)
{
    return &((const struct trace_otf2_reader *)reader)->source;
}

const struct trace_format tan_trace_otf2_format = {
    tan_trace_otf2_path_is, open_archive, path_of, open_rank, next_event, source_of, close_rank,
    close_archive,
};
