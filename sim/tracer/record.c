/* record.c - lines of a trace: times and arguments
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/record.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/tracer/comms.h"
#include "sim/tracer/host.h"
#include "sim/tracer/notice.h"
#include "sim/tracer/requests.h"
#include "sim/tracer/trace_file.h"

/* Overhead in nanoseconds of an empty call, inside it and between its end and the next start. */
struct cost {
    int64_t inside, between;
};

static struct {
    _Atomic int64_t own; /* nanoseconds spent in the tracer */
    int64_t last;        /* end of the previous call; with threads that of MPI_Init */
    struct cost line, test;
    int rank, ranks;
    bool open;
    bool threads; /* several threads may call MPI concurrently */
    int thread;   /* writer of the last line */
    int n_threads;
} trace;

/* In a library loaded at startup this model accesses variables without a function call. SimGrid
 * loads a copy per rank, for which the static TLS space does not suffice. */
#ifdef TRACE_SIMULATED
#define TLS_MODEL
#else
#define TLS_MODEL __attribute__((tls_model("initial-exec")))
#endif
/* Depth of nested calls, from libraries that use the public names. */
static _Thread_local TLS_MODEL int depth;
/* Per thread: a number from 1 on, and the end of its previous call. */
static _Thread_local TLS_MODEL struct {
    int number;
    int64_t last;
} thread;

/* Nanoseconds since a recent second, as short numbers are written faster. */
static int64_t now_ns(void)
{
    static int64_t first;
    const int64_t now = host_ns();
    first = first == 0 ? now - now % 1000000000 : first;
    return now - first;
}

/* Time without the tracer's own. */
static int64_t program_time(void)
{
    return now_ns() - atomic_load_explicit(&trace.own, memory_order_relaxed);
}

static void set_own(int64_t own)
{
    atomic_store_explicit(&trace.own, own, memory_order_relaxed);
}

/* Clocks */

enum { ROUNDS = 20, CLOCK_TAG = 1 };

/* Offset of this process's clock from rank 0's, from the exchange with the shortest round trip.
 * Ranks take turns, which needs O(ranks) exchanges. */
static double clock_difference(void)
{
    MPI_Comm own;
    double best = 1e300;
    double difference = 0.0;
    PMPI_Comm_dup(MPI_COMM_WORLD, &own);
    for (int peer = 1; peer < trace.ranks; peer++) {
        for (int i = 0; i < ROUNDS && trace.rank == 0; i++) {
            double here = 0.0;
            PMPI_Recv(&here, 1, MPI_DOUBLE, peer, CLOCK_TAG, own, MPI_STATUS_IGNORE);
            here = (double)now_ns() / 1e9;
            PMPI_Send(&here, 1, MPI_DOUBLE, peer, CLOCK_TAG, own);
        }
        for (int i = 0; i < ROUNDS && trace.rank == peer; i++) {
            double there = 0.0;
            const double before = (double)now_ns() / 1e9;
            PMPI_Send(&there, 1, MPI_DOUBLE, 0, CLOCK_TAG, own);
            PMPI_Recv(&there, 1, MPI_DOUBLE, 0, CLOCK_TAG, own, MPI_STATUS_IGNORE);
            const double after = (double)now_ns() / 1e9;
            if (after - before < best) {
                best = after - before;
                difference = (before + after) / 2.0 - there;
            }
        }
    }
    PMPI_Comm_free(&own);
    return difference;
}

/* After the clock comparison, let all ranks continue simultaneously; `difference` is this clock's
 * offset from rank 0's. The first call synchronises the ranks, the second measures how long a call
 * takes, and the third tells everyone when the last rank was ready. */
static void begin_together(double difference)
{
    enum { CALLS = 3, MARGIN = 2 };
    double own[2] = {0.0, 0.0}; /* when the last call ended, on rank 0's clock, and its duration */
    double most[2];
    for (int i = 0; i < CALLS; i++) {
        const double begin = (double)now_ns() / 1e9;
        PMPI_Allreduce(own, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        own[1] = (double)now_ns() / 1e9 - begin;
        own[0] = (double)now_ns() / 1e9 - difference;
    }
    host_wait(most[0] + MARGIN * most[1] + difference - (double)now_ns() / 1e9);
}

__attribute__((format(printf, 1, 2))) static void write_comment(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trace_text("# ");
    trace_text(text);
    trace_text("\n");
}

static void write_head(const struct cores_share *share)
{
    char host[128] = "";
    host_name(host, sizeof host);
    write_comment("tantrace 1: a line for each MPI call, in microseconds; see tan-sim-formats(5)");
    write_comment("rank %d of %d", trace.rank, trace.ranks);
    write_comment("hostname: %s", host);
    write_comment("library: %.200s", library_version());
    if (share->cores > 0) {
        write_comment("cores: %d for %d ranks on %s", share->cores, share->ranks, share->host);
    }
    if (trace.threads) {
        write_comment(
            "threads: calls of several threads stand in the order of their ends, with a line "
            "\"# thread NUMBER\" where another one's begin");
    }
}

static void open_file(void)
{
    const char *named = getenv("TAN_TRACE_DIR");
    const char *dir = named != NULL && *named != '\0' ? named : "trace";
    char problem[8500];
    int removed = 0;
    if (host_has_parent()) {
        if (trace.rank == 0) {
            notice("spawned processes are not traced");
        }
        return;
    }
    if (!trace_file_open(dir, trace.rank, trace.ranks, &removed, problem, sizeof problem)) {
        notice("rank %d is not traced: %s", trace.rank, problem);
    } else if (removed > 0) {
        notice("%s: %d file%s of an older trace %s removed", dir, removed, removed == 1 ? "" : "s",
               removed == 1 ? "is" : "are");
    }
}

static void write_tail(double difference)
{
    write_comment("Finalize clockdiff: %.9f", difference);
    write_comment("tracer: %.6f", (double)trace.own / 1e9);
    trace.open = false;
    trace_file_close();
}

/* A launcher's exit status does not depend on the trace, and its ranks may be on other hosts than
 * tan-trace: rank 0 speaks for all. */
static void report_losses(void)
{
    const int lost = trace_file_is_lost();
    int any = 0;
    PMPI_Reduce(&lost, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (trace.rank == 0 && any) {
        notice_incomplete();
    }
}

/* Other threads must have finished their MPI calls. */
void record_close(void)
{
    const double difference = clock_difference();
    if (trace.open) {
        write_tail(difference);
    }
    report_losses();
}

void record_flush(void)
{
    lines_lock();
    trace_write_piece(now_ns());
    lines_unlock();
}

/* Lines */

/* What about its communicator prevents the current line from being simulated: it is a collective
 * operation between two groups, or has ranks outside MPI_COMM_WORLD. */
static enum { NO_OBSTACLE, TWO_GROUPS, OUTSIDE_WORLD } obstacle;

void record_begin(struct call *c, const char *name)
{
    c->name = name;
    c->made = c->like = MPI_COMM_NULL;
    c->recorded = depth++ == 0 && trace.open;
    host_complete();
    c->start = program_time();
}

/* Unsuccessful tests since the last line. */
static struct {
    int64_t start, end, inside, n;
} polls;

/* Schedgen hashes a line up to its first colon: digits before it could collide with a call's
 * name. */
static void write_polls(void)
{
    trace_text("# polls: ");
    trace_time(polls.start);
    trace_text(":");
    trace_time(polls.end);
    trace_text(":");
    trace_number(polls.n);
    trace_text(":");
    trace_time(polls.inside);
    trace_text("\n");
    polls.n = 0;
}

/* Announce the thread of the next line if it changes. */
static void note_thread(void)
{
    if (thread.number == 0) {
        thread.number = ++trace.n_threads;
        thread.last = trace.last;
    }
    if (thread.number != trace.thread) {
        if (polls.n > 0) {
            write_polls();
        }
        trace.thread = thread.number;
        write_comment("thread %d", thread.number - 1);
    }
}

/* End of this thread's previous call. */
static int64_t *last_end(void)
{
    return trace.threads ? &thread.last : &trace.last;
}

/* Whether to record the call; if so, takes the lock. */
static bool enter_record(struct call *c, const struct cost *cost)
{
    c->returned = program_time() - cost->inside;
    depth--;
    if (!c->recorded) {
        return false;
    }
    lines_lock();
    if (!trace_file_is_open()) {
        lines_unlock();
        c->recorded = false;
        return false;
    }
    if (trace.threads) {
        note_thread();
    }
    const int64_t last = *last_end();
    c->start = c->start < last ? last : c->start;
    c->end = c->returned < c->start ? c->start : c->returned;
    return true;
}

/* Set the program's clock to `c->returned`, even if that is before `c->end`: what a coarse clock
 * adds to one call is subtracted from the next ones. */
static void leave_record(const struct call *c)
{
    host_complete();
    set_own(now_ns() + trace.line.between - c->returned);
    lines_unlock();
}

static void begin_line(struct call *c)
{
    if (polls.n > 0) {
        write_polls();
    }
    obstacle = NO_OBSTACLE;
    c->mark = trace_mark();
    lines_begin(c->name, c->start);
}

int record_class(int result)
{
    int class = result;
    PMPI_Error_class(result, &class);
    return class;
}

bool record_returned(struct call *c, int result)
{
    if (!enter_record(c, &trace.line)) {
        return false;
    }
    if (!record_happened(result)) {
        leave_record(c);
        return false;
    }
    begin_line(c);
    return true;
}

bool record_tested(struct call *c, int result, bool found)
{
    enum { APART_NS = 5000 }; /* longer computations end a polling loop */
    if (found || !record_happened(result)) {
        return record_returned(c, result);
    }
    if (!enter_record(c, &trace.test)) {
        return false;
    }
    if (polls.n > 0 && c->start - polls.end > APART_NS) {
        write_polls();
    }
    polls.start = polls.n == 0 ? c->start : polls.start;
    polls.inside = c->end - c->start + (polls.n == 0 ? 0 : polls.inside);
    polls.end = *last_end() = c->end;
    polls.n++;
    set_own(atomic_load_explicit(&trace.own, memory_order_relaxed) + trace.test.inside +
            trace.test.between);
    lines_unlock();
    return false;
}

void record_replace(struct call *c)
{
    trace_back(c->mark);
    trace_text("# call ");
    lines_begin(c->name, c->start);
    record_finish(c);
    trace_text("\n");
}

void record_end(struct call *c)
{
    if (obstacle != NO_OBSTACLE) { /* not simulated: recorded with name and times only */
        trace_back(c->mark);
        lines_begin(obstacle == TWO_GROUPS ? "MPI_Intercomm_collective" : "MPI_Outside_world",
                    c->start);
        record_finish(c);
    }
    const bool full = trace_line_end(c->end);
    *last_end() = c->end;
    if (c->made != MPI_COMM_NULL) {
        comms_add_later(c->made, c->like != MPI_COMM_NULL ? c->like : c->made);
    }
    requests_write_started(c->end);
    if (full) {
        trace_write_piece(c->end);
    }
    leave_record(c);
}

/* Start and end */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Mean of the middle half: some samples are interrupted, and a median would be a multiple of the
 * clock's resolution, possibly tens of nanoseconds. */
enum { SAMPLES = 1000 };
static int64_t middle_mean(int64_t took[SAMPLES])
{
    int64_t sum = 0;
    qsort(took, SAMPLES, sizeof took[0], by_value);
    for (int i = SAMPLES / 4; i < SAMPLES / 4 * 3; i++) {
        sum += took[i];
    }
    return (sum + SAMPLES / 4) / (SAMPLES / 2);
}

static void empty_call(struct call *c)
{
    record_begin(c, "");
    if (enter_record(c, &trace.line)) {
        leave_record(c);
    }
}

static void empty_test(struct call *c)
{
    polls.n = 0;
    record_begin(c, "");
    record_tested(c, MPI_SUCCESS, false);
}

static struct cost cost_of(void (*nothing)(struct call *))
{
    static int64_t inside[SAMPLES];
    static int64_t between[SAMPLES];
    struct call c;
    nothing(&c);
    for (int i = 0; i < SAMPLES; i++) {
        const int64_t last = c.returned;
        nothing(&c);
        inside[i] = c.returned - c.start;
        between[i] = c.start - last;
    }
    return (struct cost){middle_mean(inside), middle_mean(between)};
}

/* Measure the tracer's overhead that remains in the program's times, to subtract it. */
static void measure_costs(void)
{
    trace.open = true;
    const struct cost line = cost_of(empty_call);
    const struct cost test = cost_of(empty_test);
    trace.open = false;
    trace.line = line;
    trace.test = test;
    *last_end() = polls.n = 0;
    write_comment("clock: %.9f %.9f %.9f %.9f", (double)line.inside / 1e9,
                  (double)line.between / 1e9, (double)test.inside / 1e9,
                  (double)test.between / 1e9);
}

void record_open(const struct call *init)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Comm_rank(MPI_COMM_WORLD, &trace.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &trace.ranks);
    PMPI_Query_thread(&level);
    trace.threads = level == MPI_THREAD_MULTIPLE;
    if (trace.threads) {
        lines_have_threads();
        thread.number = trace.thread = trace.n_threads = 1;
    }
    open_file();
    const struct cores_share share = cores_share();
    const double difference = clock_difference();
    if (trace_file_is_open()) {
        write_head(&share);
        write_comment("Init clockdiff: %.9f", difference);
        measure_costs();
        comms_add(MPI_COMM_WORLD);
        comms_add(MPI_COMM_SELF);
    }
    begin_together(difference);
    if (!trace_file_is_open()) {
        return;
    }
    const int64_t end = now_ns(); /* start of the program on all ranks */
    trace_text(init->name);
    trace_text(":-:0:0:");
    trace_time(end);
    trace_line_end(end);
    trace_write_piece(end);
    /* A thread's clock may run back where the tracer takes others' time: no call is earlier. */
    trace.last = thread.last = end;
    trace.open = true;
    set_own(now_ns() - end);
}

/* Arguments */

void record_number(int64_t value)
{
    char *at = trace_room(32);
    *at++ = ':';
    if (value >= 0 && value < 10) {
        *at = (char)('0' + value);
        trace_out.at = at + 1;
        return;
    }
    *at = '-';
    at += value < 0;
    trace_out.at = trace_put(at, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void record_unused(void)
{
    trace_bytes(":0", 2);
}

/* The text of recent addresses, which have many digits and recur. */
struct address_label {
    uintptr_t key;
    size_t length; /* 0: unused */
    char text[32];
};

void record_address(const void *buffer)
{
    static struct address_label recent[LABELS];
    const uintptr_t key = (uintptr_t)buffer;
    struct address_label *label = &recent[LABEL_OF(key)];
    char *at = trace_room(sizeof label->text);
    if (label->key == key && label->length > 0) {
        memcpy(at, label->text, sizeof label->text);
        trace_out.at += label->length;
        return;
    }
    record_number((int64_t)key);
    label->key = key;
    label->length = (size_t)(trace_out.at - at);
    memcpy(label->text, at, sizeof label->text);
}

void record_rank(int rank, MPI_Comm comm)
{
    record_number(comms_peer(rank, comm));
}

void record_tag(int tag)
{
    record_number(tag == MPI_ANY_TAG ? -1 : tag);
}

/* MPI's predefined types are never freed, so their properties can be cached. */
struct type_label {
    uintptr_t key; /* 0: unused */
    int64_t bytes;
    unsigned char length;
    char text[47];
};

static void describe_type(MPI_Datatype type, struct type_label *label)
{
    int size = 0;
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    if (type != MPI_DATATYPE_NULL) {
        PMPI_Type_size(type, &size);
        PMPI_Type_get_extent(type, &low, &extent);
    }
    label->key = KEY(type);
    label->bytes = size;
    label->length = (unsigned char)snprintf(label->text, sizeof label->text, ":%d,%d,%lld",
                                            (int)(KEY(type) & 0xffff), size, (long long)extent);
}

static bool is_named(MPI_Datatype type)
{
    int a;
    int b;
    int c;
    int combiner = 0;
    return type == MPI_DATATYPE_NULL ||
           (PMPI_Type_get_envelope(type, &a, &b, &c, &combiner) == MPI_SUCCESS &&
            combiner == MPI_COMBINER_NAMED);
}

static const struct type_label *label_of(MPI_Datatype type, struct type_label *derived)
{
    static struct type_label known[LABELS];
    struct type_label *label = &known[LABEL_OF(KEY(type))];
    if (label->key == KEY(type) && label->length > 0) {
        return label;
    }
    label = is_named(type) ? label : derived;
    describe_type(type, label);
    return label;
}

void record_type(MPI_Datatype type)
{
    struct type_label derived;
    const struct type_label *label = label_of(type, &derived);
    memcpy(trace_room(sizeof label->text), label->text, sizeof label->text);
    trace_out.at += label->length;
}

int64_t record_bytes(MPI_Datatype type)
{
    struct type_label derived;
    return label_of(type, &derived)->bytes;
}

void record_comm_of(MPI_Comm comm, bool all)
{
    const struct comm_label *label = comms_label(comm);
    memcpy(trace_room(sizeof label->text), label->text, sizeof label->text);
    trace_out.at += label->length;
    obstacle = label->outside ? OUTSIDE_WORLD : all && label->groups ? TWO_GROUPS : obstacle;
}

void record_data(const void *buffer, int count, MPI_Datatype type, bool significant)
{
    if (significant && buffer != MPI_IN_PLACE) {
        record_unused();
        record_number(count);
        record_type(type);
    } else {
        trace_bytes(":0:0:0,0,0", 10);
    }
}

void record_counts(const int *counts, MPI_Comm comm, bool significant)
{
    const int n = comms_label(comm)->peers;
    record_unused();
    for (int i = 0; i < n; i++) {
        trace_bytes(i == 0 ? ":" : ",", 1);
        trace_number(significant && counts != NULL ? counts[i] : 0);
    }
}

void record_typed_counts(const int *counts, const MPI_Datatype *types, MPI_Comm comm,
                         bool significant)
{
    const int n = comms_label(comm)->peers;
    record_unused();
    for (int i = 0; i < n; i++) {
        trace_bytes(i == 0 ? ":" : ",", 1);
        trace_number(significant ? counts[i] * record_bytes(types[i]) : 0);
    }
}

void record_op(MPI_Op op)
{
    record_number((int64_t)(KEY(op) & 0xffff));
}

void record_finish(const struct call *c)
{
    trace_bytes(":", 1);
    trace_time(c->end);
    trace_bytes(":", 1);
}
