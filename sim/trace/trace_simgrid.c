/* trace_simgrid.c - a traced program as SimGrid's time-independent trace
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Syntax of SimGrid 3.32: "RANK ACTION ARGUMENT...", sizes in elements of a datatype, always 6
 * here, MPI_BYTE. The only communicator is that of all ranks, so messages of others use ranks of
 * the job and separate tags. */
#include "sim/trace/trace_simgrid.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/output.h"
#include "sim/calls/trace_comms.h"
#include "sim/calls/trace_files.h"
#include "sim/calls/trace_map.h"
#include "sim/calls/trace_text.h"

/* A program that only waits does less than this between unsuccessful tests; as in
 * trace_program.c. */
enum { POLL_NS = 5000, BYTE = 6 };

/* A message from one rank to another, as named in a wait. */
struct awaited {
    uint32_t from, to, tag;
};

/* A program during writing. */
struct writer {
    const struct tan_trace *trace;
    struct trace_files files;
    struct trace_names *names;
    double flops;
    struct trace_comms comms; /* the first one has all ranks */
    struct tan_map tags;      /* communicator and tag -> tag in the output */
    struct tan_error *e;

    /* of one rank */
    uint32_t rank;
    FILE *to;
    const char *path;
    uint32_t line;
    struct trace_comm_numbers numbers;
    struct tan_map requests;   /* request -> index into awaited */
    struct tan_map persistent; /* request -> index into kept */
    struct awaited *awaited;   /* owned */
    struct trace_event *kept;  /* persistent sends and receives; owned */
    size_t n_awaited, room_awaited, n_kept;
    int64_t last, polled, tested; /* as in trace_program.c */
    bool polling;
};

static int refuse_call(struct writer *w, const char *problem)
{
    return tan_fail_at(w->e, w->path, (int)w->line, 0, "%s", problem);
}

static void write_computation(struct writer *w, int64_t ns)
{
    if (ns > 0) {
        fprintf(w->to, "%" PRIu32 " compute %.15g\n", w->rank, (double)ns / 1e9 * w->flops);
    }
}

/* Communicators */

static int add_comm(struct writer *w, const struct trace_event *event)
{
    return event->members == NULL
               ? 0
               : tan_trace_comms_add(&w->comms, &w->numbers, event->comm, event->members,
                                     (uint32_t)event->comm_size, w->e);
}

/* Index of its communicator; if it is unknown it has all ranks, or loading would have failed. */
static uint32_t comm_of(const struct writer *w, const struct trace_event *event)
{
    const uint32_t place = tan_trace_map_find(&w->numbers.place, (uint64_t)event->comm);
    return place == TRACE_MAP_NONE ? 0 : place;
}

static bool is_world(const struct writer *w, const struct trace_event *event)
{
    const struct trace_comm *c = &w->comms.list[comm_of(w, event)];
    const struct trace_comm *all = &w->comms.list[0];
    bool same = c->size == all->size;
    for (uint32_t i = 0; same && i < c->size; i++) {
        same = c->rank[i] == all->rank[i];
    }
    return same;
}

/* Messages */

/* Ranks and tag of a message in the output; -1 if it has no equivalent. */
static int find_ends(struct writer *w, const struct trace_event *event, bool receives,
                     struct awaited *ends)
{
    const struct trace_message *m = receives ? &event->in : &event->out;
    const bool got = receives && event->got.source >= 0;
    const int64_t peer = m->peer == TRACE_ANY && got ? event->got.source : m->peer;
    const int64_t tag = m->tag == TRACE_ANY && got ? event->got.tag : m->tag;
    const uint32_t comm = comm_of(w, event);
    if (peer < 0 || tag < 0) {
        return refuse_call(w, "a request for a message from any rank, or with any tag, cannot be "
                              "written for SimGrid");
    }
    if (m->bytes > INT32_MAX) {
        return refuse_call(w, "SimGrid replays messages of at most 2147483647 bytes");
    }
    const uint64_t key = (uint64_t)comm << 32 | (uint32_t)tag;
    uint32_t written = tan_trace_map_find(&w->tags, key);
    if (written == TRACE_MAP_NONE) {
        written = (uint32_t)w->tags.used;
        if (tan_trace_map_set(&w->tags, key, written, w->e) < 0) {
            return -1;
        }
    }
    const uint32_t other = w->comms.list[comm].rank[peer];
    *ends = receives ? (struct awaited){other, w->rank, written}
                     : (struct awaited){w->rank, other, written};
    return 0;
}

static int write_message(struct writer *w, const struct trace_event *event, bool receives,
                         bool immediate, struct awaited *ends)
{
    if (find_ends(w, event, receives, ends) < 0) {
        return -1;
    }
    fprintf(w->to, "%" PRIu32 " %s%s %" PRIu32 " %" PRIu32 " %" PRIu64 " %d\n", w->rank,
            immediate ? "i" : "", receives ? "recv" : "send", receives ? ends->from : ends->to,
            ends->tag, receives ? event->in.bytes : event->out.bytes, BYTE);
    return 0;
}

static int keep_request(struct writer *w, int64_t request, const struct awaited *ends)
{
    if (TAN_RESERVE(w->awaited, w->room_awaited, w->n_awaited + 1) < 0) {
        return tan_fail_nomem(w->e);
    }
    w->awaited[w->n_awaited] = *ends;
    return tan_trace_map_set(&w->requests, (uint64_t)request, (uint32_t)w->n_awaited++, w->e);
}

static void write_wait(struct writer *w, const struct awaited *a)
{
    fprintf(w->to, "%" PRIu32 " wait %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", w->rank, a->from,
            a->to, a->tag);
}

static int keep_persistent(struct writer *w, const struct trace_event *event)
{
    if (TAN_ONE_MORE(w->kept, w->n_kept) < 0) {
        return tan_fail_nomem(w->e);
    }
    w->kept[w->n_kept] = *event;
    return tan_trace_map_set(&w->persistent, (uint64_t)event->request, (uint32_t)w->n_kept++, w->e);
}

static int add_message(struct writer *w, const struct trace_event *event)
{
    const bool receives = event->kind == TRACE_RECV;
    struct awaited ends;
    if ((receives ? event->in.peer : event->out.peer) == TRACE_NOBODY) {
        return 0;
    }
    if (event->persistent) {
        return keep_persistent(w, event);
    }
    if (write_message(w, event, receives, event->immediate, &ends) < 0) {
        return -1;
    }
    return event->immediate ? keep_request(w, event->request, &ends) : 0;
}

static int add_starts(struct writer *w, const struct trace_event *event)
{
    for (uint32_t i = 0; i < event->n_completed; i++) {
        const uint32_t place =
            tan_trace_map_find(&w->persistent, (uint64_t)event->completed[i].request);
        if (place == TRACE_MAP_NONE) {
            continue; /* MPI_PROC_NULL */
        }
        struct trace_event one = w->kept[place];
        one.persistent = false;
        if (add_message(w, &one) < 0) {
            return -1;
        }
    }
    return 0;
}

/* SimGrid's sendrecv has no tags. */
static int add_sendrecv(struct writer *w, const struct trace_event *event)
{
    struct awaited in;
    struct awaited out;
    const bool receives = event->in.peer != TRACE_NOBODY;
    if (receives && write_message(w, event, true, true, &in) < 0) {
        return -1;
    }
    if (event->out.peer != TRACE_NOBODY && write_message(w, event, false, false, &out) < 0) {
        return -1;
    }
    if (receives) {
        write_wait(w, &in);
    }
    return 0;
}

/* Whether a cancelled message was received may remain unknown: a program can free the request. */
static int refuse_cancelled(struct writer *w)
{
    return refuse_call(w, "a request that is cancelled cannot be written for SimGrid");
}

static int add_cancels(struct writer *w, const struct trace_event *event)
{
    for (uint32_t i = 0; i < event->n_completed; i++) {
        if (tan_trace_map_find(&w->requests, (uint64_t)event->completed[i].request) !=
            TRACE_MAP_NONE) {
            return refuse_cancelled(w);
        }
    }
    return 0;
}

static int add_completion(struct writer *w, const struct trace_event *event)
{
    for (uint32_t i = 0; i < event->n_completed; i++) {
        const struct trace_completed *c = &event->completed[i];
        const uint32_t place = tan_trace_map_find(&w->requests, (uint64_t)c->request);
        if (c->source == TRACE_CANCELLED && place != TRACE_MAP_NONE) {
            return refuse_cancelled(w);
        }
        if (place != TRACE_MAP_NONE) {
            tan_map_remove(&w->requests, (uint64_t)c->request);
            write_wait(w, &w->awaited[place]);
        }
    }
    return 0;
}

/* Collective operations */

static void write_list(struct writer *w, const uint64_t *list, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        fprintf(w->to, " %" PRIu64, list == NULL ? 0 : list[i]);
    }
}

static uint64_t sum_list(const uint64_t *list, int64_t n)
{
    uint64_t total = 0;
    for (int64_t i = 0; list != NULL && i < n; i++) {
        total += list[i];
    }
    return total;
}

/* Arguments: b: bytes of a rank's part, s: sent size, r: received size, R: root, 0: computation, o,
 * i: sizes for or from each rank; O, I: the same preceded by their sum; t: datatype. Only the root
 * has lists. */
static const struct {
    enum trace_class kind;
    const char *action, *arguments;
} actions[] = {
    {TRACE_BARRIER, "barrier", ""},
    {TRACE_NEW_COMM, "barrier", ""},
    {TRACE_BCAST, "bcast", "bRt"},
    {TRACE_REDUCE, "reduce", "b0Rt"},
    {TRACE_ALLREDUCE, "allreduce", "b0t"},
    {TRACE_SCAN, "scan", "b0t"},
    {TRACE_ALLTOALL, "alltoall", "bbtt"},
    {TRACE_ALLGATHER, "allgather", "bbtt"},
    {TRACE_GATHER, "gather", "bbRtt"},
    {TRACE_SCATTER, "scatter", "bbRtt"},
    {TRACE_GATHERV, "gatherv", "siRtt"},
    {TRACE_SCATTERV, "scatterv", "orRtt"},
    {TRACE_ALLGATHERV, "allgatherv", "mitt"},
    {TRACE_ALLTOALLV, "alltoallv", "OItt"},
    {TRACE_REDUCE_SCATTER, "reducescatter", "o0t"},
    {TRACE_REDUCE_SCATTER_BLOCK, "reducescatter", "e0t"},
};

static void write_argument(struct writer *w, const struct trace_event *event, char what)
{
    const uint64_t p = (uint64_t)event->comm_size;
    const uint64_t *out =
        event->in_place && event->kind == TRACE_ALLTOALLV ? event->in_list : event->out_list;
    const uint64_t most = event->out.bytes > event->in.bytes ? event->out.bytes : event->in.bytes;
    switch (what) {
    case 'b':
        fprintf(w->to, " %" PRIu64, most);
        break;
    case 's':
        fprintf(w->to, " %" PRIu64, event->out.bytes);
        break;
    case 'r':
        fprintf(w->to, " %" PRIu64, event->in.bytes);
        break;
    case 'm': /* its own part, even in place */
        fprintf(w->to, " %" PRIu64, event->in_list[event->comm_rank]);
        break;
    case 'R':
        fprintf(w->to, " %" PRId64, event->out.peer);
        break;
    case '0':
        fputs(" 0", w->to);
        break;
    case 't':
        fprintf(w->to, " %d", BYTE);
        break;
    case 'O':
    case 'I':
        fprintf(w->to, " %" PRIu64, sum_list(what == 'O' ? out : event->in_list, event->comm_size));
        write_list(w, what == 'O' ? out : event->in_list, p);
        break;
    case 'o':
        write_list(w, out, p);
        break;
    case 'i':
        write_list(w, event->in_list, p);
        break;
    default: /* e: the same for each rank */
        for (uint64_t i = 0; i < p; i++) {
            fprintf(w->to, " %" PRIu64, event->out.bytes);
        }
    }
}

static int add_collective(struct writer *w, const struct trace_event *event)
{
    if (!is_world(w, event) || event->immediate) {
        return refuse_call(
            w, event->immediate
                   ? "SimGrid replays no collective operation that is a request"
                   : "SimGrid replays collective operations of all ranks only, and this "
                     "communicator has others, or in another order");
    }
    size_t i = 0;
    while (actions[i].kind != event->kind) {
        i++;
    }
    fprintf(w->to, "%" PRIu32 " %s", w->rank, actions[i].action);
    for (const char *at = actions[i].arguments; *at != '\0'; at++) {
        write_argument(w, event, *at);
    }
    fputc('\n', w->to);
    return 0;
}

/* Calls */

/* As in trace_program.c: a series of unsuccessful tests before a successful one was a wait, except
 * for the work between them; if that took longer than the tests, the program was mainly working. */
static void pass_time(struct writer *w, const struct trace_event *event)
{
    const int64_t between = event->start - w->last;
    if (w->polling && between < POLL_NS) {
        w->polled += between;
    } else {
        write_computation(w, between);
    }
    if (event->kind == TRACE_POLLS) {
        w->polled += event->end - event->start;
        w->tested += event->inside;
    } else {
        const int64_t worked = w->polled - w->tested;
        write_computation(w, event->test && worked <= w->tested ? worked : w->polled);
        w->polled = w->tested = 0;
    }
    w->polling = event->kind == TRACE_POLLS;
    w->last = event->end;
}

static int add_event(struct writer *w, const struct trace_event *event)
{
    w->line = event->line;
    if (event->kind == TRACE_COMM) {
        return add_comm(w, event);
    }
    if (event->kind == TRACE_LOCAL) {
        return 0;
    }
    if (event->kind == TRACE_INIT) {
        w->last = event->end;
        fprintf(w->to, "%" PRIu32 " init\n", w->rank);
        write_computation(w, (int64_t)llround(w->trace->rank[w->rank].started * 1e9));
        return 0;
    }
    pass_time(w, event);
    switch (event->kind) {
    case TRACE_SEND:
    case TRACE_RECV:
        return add_message(w, event);
    case TRACE_SENDRECV:
        return add_sendrecv(w, event);
    case TRACE_START:
        return add_starts(w, event);
    case TRACE_CANCEL:
        return add_cancels(w, event);
    case TRACE_COMPLETE:
        return add_completion(w, event);
    default:
        return tan_trace_is_collective(event->kind) ? add_collective(w, event) : 0;
    }
}

static int write_calls(struct writer *w)
{
    struct trace_event event;
    struct trace_text *calls = tan_trace_text_open(w->path, w->rank, w->files.n, w->names, w->e);
    int result = calls == NULL ? -1 : 0;
    while (result == 0 && (result = tan_trace_text_next(calls, &event, w->e)) == 1) {
        result = event.thread == 0
                     ? add_event(w, &event)
                     : tan_fail(w->e,
                                "rank %" PRIu32
                                ": several threads call MPI, which SimGrid's traces cannot say",
                                w->rank);
    }
    tan_trace_text_close(calls);
    fprintf(w->to, "%" PRIu32 " finalize\n", w->rank);
    return result;
}

static void rank_clear(struct writer *w)
{
    tan_trace_comm_numbers_clear(&w->numbers);
    tan_map_clear(&w->requests);
    tan_map_clear(&w->persistent);
    w->n_awaited = w->n_kept = 0;
    w->polled = w->tested = 0;
    w->polling = false;
}

static int write_rank(struct writer *w, const char *out, uint32_t rank)
{
    char *path;
    if (asprintf(&path, "%s/rank-%" PRIu32 ".txt", out, rank) < 0) {
        return tan_fail_nomem(w->e);
    }
    struct tan_output *output = tan_output_open_named(path, w->e);
    int result = -1;
    if (output != NULL) {
        w->rank = rank;
        w->to = tan_output_stream(output);
        w->path = w->files.path[rank];
        rank_clear(w);
        result = write_calls(w);
        if (result < 0) {
            tan_output_discard(output);
        } else {
            result = tan_output_commit(output, w->e);
        }
    }
    free(path);
    return result;
}

static int write_list_of_files(const struct writer *w, const char *out)
{
    char *path;
    if (asprintf(&path, "%s/traces.txt", out) < 0) {
        return tan_fail_nomem(w->e);
    }
    struct tan_output *output = tan_output_open_named(path, w->e);
    free(path);
    if (output == NULL) {
        return -1;
    }
    for (uint32_t i = 0; i < w->files.n; i++) {
        fprintf(tan_output_stream(output), "%s/rank-%" PRIu32 ".txt\n", out, i);
    }
    return tan_output_commit(output, w->e);
}

static int prepare_writer(struct writer *w)
{
    w->names = calloc(1, sizeof *w->names);
    if (w->names == NULL) {
        return tan_fail_nomem(w->e);
    }
    return tan_trace_comms_world(&w->comms, w->trace->ranks, w->e) < 0
               ? -1
               : tan_trace_files_find(w->trace->dir, &w->files, w->e);
}

int tan_trace_simgrid_write(const struct tan_trace *t, const char *out, double flops,
                            struct tan_error *e)
{
    struct writer w = {.trace = t, .flops = flops, .e = e};
    int result = mkdir(out, 0777) < 0 && errno != EEXIST
                     ? tan_fail_errno(e, "cannot make the folder %s", out)
                     : prepare_writer(&w);
    for (uint32_t i = 0; result == 0 && i < w.files.n; i++) {
        result = write_rank(&w, out, i);
    }
    result = result == 0 ? write_list_of_files(&w, out) : -1;
    rank_clear(&w);
    free(w.awaited);
    free(w.kept);
    tan_trace_comms_clear(&w.comms);
    tan_map_clear(&w.tags);
    tan_trace_files_clear(&w.files);
    free(w.names);
    return result;
}
