/* calls.c - calls of a rank in an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call consists of the records of messages, requests and collective operations between Enter and
 * Leave of a region named like an MPI call. Its lines are written on leaving it. */
#include "cmd/tan-otf2/calls.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/output.h"
#include "cmd/tan-otf2/archive.h"
#include "cmd/tan-otf2/line.h"

/* A message that a call sends or receives, or starts to. */
struct message {
    enum trace_class kind;
    bool immediate;
    int64_t request;
    uint32_t comm;
    struct trace_message what;
};

struct rank_calls {
    const struct archive *a;
    const struct archive_rank *own;
    uint32_t rank;
    FILE *to;
    struct tan_doubts doubts;

    int64_t *comm_rank;  /* this rank in each communicator; -1: not a member */
    uint64_t *sizes[2];  /* sent to and received from each rank; one value per rank of the job */
    size_t next_outcome; /* index in own->outcome of the next operation to start */
    bool started;        /* the first event has been read */

    const struct trace_call *call; /* current call; NULL: none */
    uint32_t depth;                /* depth of regions inside it */
    int64_t start;
    struct message *message;
    struct trace_completed *completed;
    size_t n_messages, message_room, n_completed, completed_room;
    bool collective; /* the call has a collective operation: */
    bool begins;     /* nonblocking, with `request` */
    int64_t request;
    struct archive_outcome operation;
};

/* Lines */

static struct trace_event event_of(const struct rank_calls *r, enum trace_class kind, int64_t end)
{
    return (struct trace_event){.kind = kind, .start = r->start, .end = end};
}

static void write_call(const struct rank_calls *r, const struct trace_event *event)
{
    line_write_call(r->to, r->call, event);
}

/* Write the event as one of another call. */
static void write_as(const struct rank_calls *r, const char *name, const struct trace_event *event)
{
    const struct trace_call call = tan_trace_call_find(name, strlen(name));
    line_write_call(r->to, &call, event);
}

/* Write the current call with nothing but its time. */
static void write_time(const struct rank_calls *r, int64_t end)
{
    line_write_time(r->to, r->call->name, r->start, end);
}

/* Set the communicator of an event; false if its ranks are unknown. */
static bool set_comm(struct rank_calls *r, struct trace_event *event, uint32_t comm)
{
    const struct archive_comm *c = archive_comm(r->a, comm);
    if (c == NULL || r->comm_rank[comm] < 0) {
        tan_doubts_add(
            &r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
            "messages between the two groups of an intercommunicator, or in a communicator "
            "whose ranks the archive does not tell, are not simulated");
        return false;
    }
    event->comm = comm;
    event->comm_rank = r->comm_rank[comm];
    event->comm_size = c->size;
    return true;
}

/* A record's rank as a rank of its communicator; the communicator's size if it is no member. */
static int64_t rank_in(const struct rank_calls *r, uint32_t comm, uint32_t rank)
{
    const struct archive_comm *c = archive_comm(r->a, comm);
    if (c == NULL || !c->global) {
        return rank;
    }
    int64_t i = 0;
    while (i < c->size && c->rank[i] != rank) {
        i++;
    }
    return i;
}

/* Set both peers to MPI_PROC_NULL, whose messages leave no record; others are set later. */
static void set_nobody(const struct rank_calls *r, struct trace_event *event)
{
    event->comm = -1;
    event->comm_rank = r->rank;
    event->comm_size = r->a->ranks; /* so that it is taken for MPI_COMM_WORLD */
    event->in.peer = event->out.peer = TRACE_NOBODY;
}

static void set_message(struct trace_event *event, const struct message *m)
{
    *(m->kind == TRACE_RECV ? &event->in : &event->out) = m->what;
    event->immediate = event->immediate || m->immediate;
    event->request = m->request;
}

/* Write a send and a receive, either of which may be missing. MPI_Sendrecv_replace, too, is written
 * as MPI_Sendrecv, since the sizes of its messages may differ. */
static void add_sendrecv(struct rank_calls *r, int64_t end)
{
    struct trace_event event = event_of(r, TRACE_SENDRECV, end);
    set_nobody(r, &event);
    for (size_t i = 0; i < r->n_messages; i++) {
        if (!set_comm(r, &event, r->message[i].comm)) {
            write_time(r, end);
            return;
        }
        set_message(&event, &r->message[i]);
    }
    write_as(r, "MPI_Sendrecv", &event);
}

/* The name of the call as which a message is written. */
static const char *name_of_message(const struct trace_call *call, const struct message *m)
{
    static const char *const names[2][2] = {{"MPI_Send", "MPI_Isend"}, {"MPI_Recv", "MPI_Irecv"}};
    return call->kind == m->kind && call->immediate == m->immediate && !call->persistent
               ? call->name
               : names[m->kind == TRACE_RECV][m->immediate];
}

/* Write a call with a single message as such; otherwise the call's time, followed by its messages
 * as calls that take no time. */
static void add_messages(struct rank_calls *r, int64_t end)
{
    const bool sends = r->call->kind == TRACE_SEND || r->call->kind == TRACE_RECV;
    const bool one = r->n_messages == 1 && sends;
    if (!one) {
        write_time(r, end);
    }
    for (size_t i = 0; i < r->n_messages; i++) {
        const struct message *m = &r->message[i];
        struct trace_event event = event_of(r, m->kind, end);
        event.start = one ? r->start : end;
        if (set_comm(r, &event, m->comm)) {
            set_message(&event, m);
            write_as(r, name_of_message(r->call, m), &event);
        } else if (one) {
            write_time(r, end);
        }
    }
}

/* Tests and waits: completed requests. */
static void add_completion(struct rank_calls *r, int64_t end)
{
    struct trace_event event = event_of(r, TRACE_COMPLETE, end);
    event.completed = r->completed;
    event.n_completed = (uint32_t)r->n_completed;
    write_call(r, &event);
}

/* Collective operations. A record has the sum of the bytes to or from all ranks, including the rank
 * itself unless the operation is in place: for an allreduce of b bytes on p ranks p b, or in place
 * (p - 1) b. Whether it is in place cannot always be recognised; in doubt it is assumed not to
 * be. */

/* The bytes to or from one of p ranks. If p does not divide the sum, it is in place. */

static uint64_t rank_share(uint64_t bytes, uint64_t p)
{
    return p == 0 ? 0 : bytes % p == 0 || p == 1 ? bytes / p : bytes / (p - 1);
}

/* The block of one rank in the sum of a root; the root works in place if `other`, its own block in
 * the other direction, is 0. */
static uint64_t of_root(uint64_t bytes, uint64_t other, uint64_t p)
{
    return other == 0 && p > 1 ? bytes / (p - 1) : bytes / p;
}

/* The block of a scan: `rank` sends to itself and later ranks, and receives from itself and earlier
 * ones, or without itself in place and in MPI_Exscan. */
static uint64_t scan_bytes(const struct archive_outcome *o, uint64_t p, uint64_t rank)
{
    const uint64_t sent = o->sent / (p - rank);
    if (o->op == OTF2_COLLECTIVE_OP_SCAN && o->sent % (p - rank) == 0 &&
        o->received == sent * (rank + 1)) {
        return sent;
    }
    return rank + 1 < p ? o->sent / (p - rank - 1) : rank > 0 ? o->received / rank : 0;
}

/* Copy the sizes of all ranks. `divided`: records have the sum over all ranks that a block went to,
 * or over all others, in place; not in place the blocks add up to `total`. */
static void join_sizes(uint64_t *to, const struct archive_comm *c, const struct archive_outcome *o,
                       uint64_t total, bool divided)
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

/* Set the sizes of an operation with sizes by rank. The other ranks' sizes are in their own
 * records, but for alltoallv these have only sums. */
static void set_sizes(struct rank_calls *r, struct trace_event *event, const struct archive_comm *c,
                      const struct archive_outcome *o)
{
    const enum trace_class kind = event->kind;
    uint64_t *all = r->sizes[0];
    event->out.bytes = o->sent;
    event->in.bytes = o->received;
    event->out_list = event->in_list = all;
    if (kind == TRACE_GATHERV || kind == TRACE_SCATTERV) {
        join_sizes(all, c, o, 0, false);
    } else if (kind == TRACE_ALLGATHERV) {
        join_sizes(all, c, o, o->received, true);
        event->out.bytes = all[event->comm_rank];
    } else if (kind == TRACE_REDUCE_SCATTER) {
        join_sizes(all, c, o, o->sent, true);
    } else {
        join_sizes(all, c, o, o->received, true);
        for (uint32_t i = 0; i < c->size; i++) {
            r->sizes[1][i] = o->sent / c->size;
        }
        event->out_list = r->sizes[1];
        tan_doubts_add(
            &r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
            "of MPI_Alltoallv OTF2 has only the sums of what a rank sends and receives: they "
            "are taken as equal for all ranks");
    }
}

/* Set the sizes of an operation with the same block for all ranks. */
static void set_block(struct trace_event *event, const struct archive_comm *c,
                      const struct archive_outcome *o)
{
    const uint64_t p = c->size;
    const bool root = event->out.peer == event->comm_rank;
    switch (event->kind) {
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

static void add_collective(struct rank_calls *r, int64_t end)
{
    const struct archive_outcome *o = &r->operation;
    const enum trace_class kind = r->collective ? archive_kind_of(o->op) : TRACE_LOCAL;
    struct trace_event event = event_of(r, kind, end);
    if (kind != r->call->kind || r->begins != r->call->immediate) {
        tan_doubts_add(&r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                       "the archive does not say what %.60s has done, which is not simulated",
                       r->call->name);
        write_time(r, end);
        return;
    }
    if (!set_comm(r, &event, o->comm)) {
        write_time(r, end);
        return;
    }
    event.immediate = r->begins;
    event.request = r->request;
    event.out.peer = o->peer == OTF2_COLLECTIVE_ROOT_NONE   ? 0
                     : o->peer == OTF2_COLLECTIVE_ROOT_SELF ? event.comm_rank
                                                            : rank_in(r, o->comm, o->peer);
    if (archive_has_sizes(o->op)) {
        set_sizes(r, &event, archive_comm(r->a, o->comm), o);
    } else {
        set_block(&event, archive_comm(r->a, o->comm), o);
    }
    write_call(r, &event);
}

static void add_probe(struct rank_calls *r, int64_t end)
{
    const struct trace_completed found = {.request = -1, .source = TRACE_NOBODY};
    struct trace_event event = event_of(r, TRACE_PROBE, end);
    if (r->call->test) {
        tan_doubts_add(&r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                       "OTF2 does not say whether %.60s has found a message", r->call->name);
        event.completed = &found;
        event.n_completed = 1;
    }
    write_call(r, &event);
}

static void add_call(struct rank_calls *r, int64_t end)
{
    const enum trace_class kind = r->call->kind;
    if (tan_trace_is_collective(kind)) {
        add_collective(r, end);
    } else if (kind == TRACE_SENDRECV) {
        add_sendrecv(r, end);
    } else if (kind == TRACE_COMPLETE) {
        add_completion(r, end);
    } else if (kind == TRACE_PROBE) {
        add_probe(r, end);
    } else if (r->n_messages > 0 || kind == TRACE_SEND || kind == TRACE_RECV ||
               kind == TRACE_START) {
        add_messages(r, end);
    } else if (kind != TRACE_LOCAL) {
        const struct trace_event event = event_of(r, kind, end);
        write_call(r, &event);
    }
}

/* Records */

static OTF2_CallbackCode result_of(const struct rank_calls *r)
{
    return r->a->e->status == TAN_DONE ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode fail_outside_calls(const struct rank_calls *r)
{
    tan_fail(r->a->e, "a message, a request or a collective operation is outside of MPI calls");
    return OTF2_CALLBACK_INTERRUPT;
}

/* Without MPI_Init in this rank's records the program starts at the first event. */
static void begin_program(struct rank_calls *r, int64_t time)
{
    r->started = true;
    if (!r->own->began) {
        const struct trace_event event = {.kind = TRACE_INIT, .start = time, .end = time};
        write_as(r, "MPI_Init", &event);
    }
}

static OTF2_CallbackCode enter_region(RECORD, OTF2_RegionRef region)
{
    struct rank_calls *r = own;
    const int64_t now = archive_time(r->a, time);
    if (!r->started) {
        begin_program(r, now);
    }
    if (r->call != NULL) {
        r->depth++;
        return OTF2_CALLBACK_SUCCESS;
    }
    r->call = archive_call(r->a, region);
    r->depth = 0;
    r->start = now;
    r->n_messages = r->n_completed = 0;
    r->collective = r->begins = false;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode leave_region(RECORD, UNUSED OTF2_RegionRef region)
{
    struct rank_calls *r = own;
    if (r->call == NULL) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (r->depth > 0) {
        r->depth--;
        return OTF2_CALLBACK_SUCCESS;
    }
    add_call(r, archive_time(r->a, time));
    r->call = NULL;
    return result_of(r);
}

static OTF2_CallbackCode add_message(struct rank_calls *r, const struct message *m)
{
    if (r->call == NULL) {
        return fail_outside_calls(r);
    }
    if (TAN_RESERVE(r->message, r->message_room, r->n_messages + 1) < 0) {
        tan_fail_nomem(r->a->e);
        return OTF2_CALLBACK_INTERRUPT;
    }
    struct message *to = &r->message[r->n_messages++];
    *to = *m;
    to->what.peer = rank_in(r, m->comm, (uint32_t)m->what.peer);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode add_send(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes)
{
    return add_message(own,
                       &(struct message){.kind = TRACE_SEND,
                                         .comm = comm,
                                         .what = {.peer = receiver, .tag = tag, .bytes = bytes}});
}

static OTF2_CallbackCode add_isend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t bytes, uint64_t request)
{
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
    return add_message(own,
                       &(struct message){.kind = TRACE_RECV,
                                         .comm = comm,
                                         .what = {.peer = sender, .tag = tag, .bytes = bytes}});
}

static const struct archive_outcome *next_outcome(struct rank_calls *r)
{
    return r->next_outcome < r->own->n_outcomes ? &r->own->outcome[r->next_outcome++] : NULL;
}

static OTF2_CallbackCode add_irecv(RECORD, uint64_t request)
{
    struct rank_calls *r = own;
    const struct archive_outcome *o = next_outcome(r);
    if (o != NULL && o->kind == OUTCOME_NONE) {
        tan_doubts_add(
            &r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
            "receives that never complete are left out, since OTF2 tells only then what they "
            "are for");
    }
    if (o == NULL || o->kind != OUTCOME_MESSAGE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    return add_message(
        r, &(struct message){.kind = TRACE_RECV,
                             .immediate = true,
                             .request = (int64_t)request,
                             .comm = o->comm,
                             .what = {.peer = o->peer, .tag = o->tag, .bytes = o->received}});
}

static OTF2_CallbackCode complete_request(struct rank_calls *r, uint64_t request, int64_t source)
{
    if (r->call == NULL) {
        return fail_outside_calls(r);
    }
    if (TAN_RESERVE(r->completed, r->completed_room, r->n_completed + 1) < 0) {
        tan_fail_nomem(r->a->e);
        return OTF2_CALLBACK_INTERRUPT;
    }
    r->completed[r->n_completed++] =
        (struct trace_completed){(int64_t)request, source, TRACE_NOBODY};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode isend_complete(RECORD, uint64_t request)
{
    return complete_request(own, request, TRACE_NOBODY);
}

static OTF2_CallbackCode irecv_complete(RECORD, UNUSED uint32_t sender, UNUSED OTF2_CommRef comm,
                                        UNUSED uint32_t tag, UNUSED uint64_t bytes,
                                        uint64_t request)
{
    return complete_request(own, request, TRACE_NOBODY);
}

static OTF2_CallbackCode request_cancelled(RECORD, uint64_t request)
{
    return complete_request(own, request, TRACE_CANCELLED);
}

static OTF2_CallbackCode collective_end(RECORD, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                        uint32_t root, uint64_t sent, uint64_t received)
{
    struct rank_calls *r = own;
    if (r->call == NULL) {
        return fail_outside_calls(r);
    }
    r->collective = true;
    r->operation =
        (struct archive_outcome){OUTCOME_OPERATION, op, comm, root, 0, 0, sent, received};
    if (archive_has_sizes(op)) {
        const struct archive_outcome *o = next_outcome(r);
        r->operation.place = o != NULL ? o->place : 0;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective_request(RECORD, uint64_t request)
{
    struct rank_calls *r = own;
    const struct archive_outcome *o = next_outcome(r);
    if (r->call == NULL) {
        return fail_outside_calls(r);
    }
    if (o != NULL && o->kind == OUTCOME_OPERATION) {
        r->collective = r->begins = true;
        r->request = (int64_t)request;
        r->operation = *o;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective_complete(RECORD, UNUSED OTF2_CollectiveOp op,
                                             UNUSED OTF2_CommRef comm, UNUSED uint32_t root,
                                             UNUSED uint64_t sent, UNUSED uint64_t received,
                                             uint64_t request)
{
    return complete_request(own, request, TRACE_NOBODY);
}

/* Ranks */

static int write_calls(struct rank_calls *r)
{
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    if (calls != NULL) {
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
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls,
                                                                         collective_complete);
    }
    return archive_read_rank(r->a, r->rank, calls, r);
}

/* Write the communicators of this rank. */
static void write_comms(const struct rank_calls *r)
{
    for (size_t i = 0; i < r->a->n_comms; i++) {
        const struct archive_comm *c = &r->a->comm[i];
        if (r->comm_rank[i] >= 0) {
            line_write_comm(r->to, (int64_t)i, c->self ? &r->rank : c->rank, c->size);
        }
    }
}

static void find_comm_ranks(const struct rank_calls *r)
{
    for (size_t i = 0; i < r->a->n_comms; i++) {
        const struct archive_comm *c = archive_comm(r->a, (uint32_t)i);
        r->comm_rank[i] = c != NULL && c->self ? 0 : -1;
        for (uint32_t k = 0; c != NULL && !c->self && k < c->size; k++) {
            r->comm_rank[i] = c->rank[k] == r->rank ? k : r->comm_rank[i];
        }
    }
}

/* Times are by one clock, the archive's. */
static int write_trace(struct rank_calls *r)
{
    fprintf(r->to,
            "# tantrace 1: from an OTF2 archive; see tan-formats(5)\n# rank %" PRIu32 " of %" PRIu32
            "\n# Init clockdiff: 0\n",
            r->rank, r->a->ranks);
    find_comm_ranks(r);
    write_comms(r);
    const int result = write_calls(r);
    const struct tan_doubts *doubts = &r->doubts;
    for (size_t i = 0; i < doubts->n; i++) {
        fprintf(r->to, "# doubt: %s\n", doubts->row[i].text);
    }
    return doubts->incomplete ? tan_fail_nomem(r->a->e) : result;
}

static int write_file(struct rank_calls *r, const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/rank-%" PRIu32 ".txt", folder, r->rank) < 0) {
        return tan_fail_nomem(r->a->e);
    }
    struct tan_output *output = tan_output_open_named(path, r->a->e);
    free(path);
    if (output == NULL) {
        return -1;
    }
    r->to = tan_output_stream(output);
    if (write_trace(r) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, r->a->e);
}

static int convert_rank(const struct archive *a, uint32_t rank, const char *folder)
{
    struct rank_calls r = {
        .a = a,
        .own = &a->rank[rank],
        .rank = rank,
        .comm_rank = calloc(a->n_comms + 1, sizeof *r.comm_rank),
        .sizes = {calloc(a->ranks, sizeof *r.sizes[0]), calloc(a->ranks, sizeof *r.sizes[1])}};
    const bool room = r.comm_rank != NULL && r.sizes[0] != NULL && r.sizes[1] != NULL;
    const int result = room ? write_file(&r, folder) : tan_fail_nomem(a->e);
    free(r.comm_rank);
    free(r.sizes[0]);
    free(r.sizes[1]);
    free(r.message);
    free(r.completed);
    tan_doubts_clear(&r.doubts);
    return result;
}

int convert_archive(const char *archive, const char *folder, struct tan_error *e)
{
    struct archive *a = archive_open(archive, e);
    if (a == NULL) {
        return -1;
    }
    int result = mkdir(folder, 0777) < 0 && errno != EEXIST
                     ? tan_fail_errno(e, "cannot make the folder %s", folder)
                     : 0;
    for (uint32_t i = 0; i < a->ranks && result == 0; i++) {
        result = convert_rank(a, i, folder);
    }
    archive_close(a);
    return result;
}
