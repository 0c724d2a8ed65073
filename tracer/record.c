/* record.c - lines of a trace: times, arguments, communicators, requests
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tracer/handles.h"
#include "tracer/imports.h"
#include "tracer/trace_file.h"

static struct {
    int64_t own; /* nanoseconds that the tracer itself has taken */
    struct handles comms, requests, persistent;
    int rank, ranks;
    bool open;
} trace;

/* Calls within a call, of libraries that use the public names, and of other threads. */
static _Thread_local int depth;

/* Nanoseconds since a second of this process: short numbers are written faster. */
static int64_t now(void)
{
    static time_t first;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    first = first == 0 ? t.tv_sec : first;
    return (int64_t)(t.tv_sec - first) * 1000000000 + t.tv_nsec;
}

/* A handle is a pointer in Open MPI and a number in MPICH. */
#define KEY(handle) ((uintptr_t)(handle))

/* Clocks */

enum { ROUNDS = 20, CLOCK_TAG = 1 };

/* By how much this process's clock is ahead of that of rank 0: of several exchanges the fastest one
 * tells most. Rank by rank, for O(ranks) exchanges. */
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
            here = (double)now() / 1e9;
            PMPI_Send(&here, 1, MPI_DOUBLE, peer, CLOCK_TAG, own);
        }
        for (int i = 0; i < ROUNDS && trace.rank == peer; i++) {
            double there = 0.0;
            const double before = (double)now() / 1e9;
            PMPI_Send(&there, 1, MPI_DOUBLE, 0, CLOCK_TAG, own);
            PMPI_Recv(&there, 1, MPI_DOUBLE, 0, CLOCK_TAG, own, MPI_STATUS_IGNORE);
            const double after = (double)now() / 1e9;
            if (after - before < best) {
                best = after - before;
                difference = (before + after) / 2.0 - there;
            }
        }
    }
    PMPI_Comm_free(&own);
    return difference;
}

static void comment(const char *text)
{
    trace_text("# ");
    trace_text(text);
    trace_line_end(0);
}

static void write_head(void)
{
    char text[256];
    char host[128] = "";
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    gethostname(host, sizeof host - 1);
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n,")] = '\0';
    comment("tantrace 1: a line for each MPI call, in microseconds; see tan-formats(5)");
    snprintf(text, sizeof text, "rank %d of %d", trace.rank, trace.ranks);
    comment(text);
    snprintf(text, sizeof text, "hostname: %s", host);
    comment(text);
    snprintf(text, sizeof text, "library: %.200s", library);
    comment(text);
}

static void write_comm(MPI_Comm comm);

void record_open(const struct call *init)
{
    const char *dir = getenv("TAN_TRACE_DIR");
    char problem[4200];
    PMPI_Comm_rank(MPI_COMM_WORLD, &trace.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &trace.ranks);
    if (!trace_file_open(dir != NULL && *dir != '\0' ? dir : "trace", trace.rank, trace.ranks,
                         problem, sizeof problem)) {
        fprintf(stderr, "libtantrace: rank %d is not traced: %s\n", trace.rank, problem);
    }
    const double difference = clock_difference();
    write_head();
    char text[64];
    snprintf(text, sizeof text, "Init clockdiff: %.9f", difference);
    comment(text);
    imports_report(trace.rank == 0, comment);
    trace.open = true;
    write_comm(MPI_COMM_WORLD);
    trace_line_end(0);
    write_comm(MPI_COMM_SELF);
    trace_line_end(0);
    /* Comparing clocks has brought the ranks together: the program begins here for all of them. */
    const int64_t end = now();
    trace_text(init->name);
    trace_text(":-:0:0:");
    trace_time(end);
    trace_line_end(end);
    trace.own = now() - end;
}

void record_close(void)
{
    char text[64];
    snprintf(text, sizeof text, "Finalize clockdiff: %.9f", clock_difference());
    comment(text);
    snprintf(text, sizeof text, "tracer: %.6f", (double)trace.own / 1e9);
    comment(text);
    trace.open = false;
    trace_file_close();
}

void record_begin(struct call *c, const char *name)
{
    *c = (struct call){.name = name, .recorded = depth++ == 0 && trace.open};
    c->start = now() - trace.own;
}

/* Tests that found nothing, since the last line. */
static struct {
    int64_t start, end, inside, n;
} polls;

static void write_polls(void)
{
    if (polls.n > 0) {
        trace_text("# polls ");
        trace_time(polls.start);
        trace_text(":");
        trace_time(polls.end);
        trace_text(":");
        trace_number(polls.n);
        trace_text(":");
        trace_time(polls.inside);
        trace_line_end(polls.end);
        polls.n = 0;
    }
}

bool record_returned(struct call *c)
{
    c->end = now() - trace.own;
    depth--;
    c->recorded = c->recorded && trace_file_is_open();
    if (c->recorded) {
        write_polls();
        trace_text(c->name);
        trace_text(":");
        trace_time(c->start);
    }
    return c->recorded;
}

bool record_tested(struct call *c, bool found)
{
    enum { APART_NS = 5000 }; /* what a program does for so long is no part of a wait */
    if (found || !c->recorded) {
        return record_returned(c);
    }
    c->end = now() - trace.own;
    depth--;
    if (polls.n > 0 && c->start - polls.end > APART_NS) {
        write_polls();
    }
    polls.start = polls.n == 0 ? c->start : polls.start;
    polls.end = c->end;
    polls.inside += (polls.n == 0 ? -polls.inside : 0) + c->end - c->start;
    polls.n++;
    return false;
}

void record_end(struct call *c)
{
    if (c->recorded) {
        trace_line_end(c->end);
        trace.own = now() - c->end;
    }
}

/* Arguments */

void record_number(int64_t value)
{
    trace_text(":");
    trace_number(value);
}

void record_unused(void)
{
    trace_text(":0");
}

enum { ANY = -1, NOBODY = -2, CANCELLED = -3 };

static int rank_of(int rank)
{
    return rank == MPI_ANY_SOURCE ? ANY : rank == MPI_PROC_NULL ? NOBODY : rank;
}

void record_rank(int rank)
{
    record_number(rank_of(rank));
}

void record_tag(int tag)
{
    record_number(tag == MPI_ANY_TAG ? ANY : tag);
}

void record_type(MPI_Datatype type)
{
    int size = 0;
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    if (type != MPI_DATATYPE_NULL) {
        PMPI_Type_size(type, &size);
        PMPI_Type_get_extent(type, &low, &extent);
    }
    record_number((int64_t)(KEY(type) & 0xffff));
    trace_text(",");
    trace_number(size);
    trace_text(",");
    trace_number(extent);
}

void record_comm(MPI_Comm comm)
{
    int rank = -1;
    int size = 0;
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_size(comm, &size);
    }
    record_number(handles_find(&trace.comms, KEY(comm)));
    trace_text(",");
    trace_number(rank);
    trace_text(",");
    trace_number(size);
}

bool record_is_root(int root, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

void record_data(const void *buffer, int count, MPI_Datatype type, bool counts)
{
    const bool known = counts && buffer != MPI_IN_PLACE;
    record_unused();
    record_number(known ? count : 0);
    if (known) {
        record_type(type);
    } else {
        trace_text(":0,0,0");
    }
}

void record_counts(const int *counts, MPI_Comm comm, bool count)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    record_unused();
    for (int i = 0; i < size; i++) {
        trace_text(i == 0 ? ":" : ",");
        trace_number(count && counts != NULL ? counts[i] : 0);
    }
}

void record_op(MPI_Op op)
{
    record_number((int64_t)(KEY(op) & 0xffff));
}

void record_finish(const struct call *c)
{
    trace_text(":");
    trace_time(c->end);
    trace_text(":");
}

/* Communicators */

/* "# comm NUMBER = RANK...", without the end of the line. */
static void write_comm(MPI_Comm comm)
{
    MPI_Group world;
    MPI_Group group;
    int size;
    int inter = 0;
    const int64_t number = handles_add(&trace.comms, KEY(comm));
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &size);
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    trace_text("# comm ");
    trace_number(number);
    if (inter || ranks == NULL) {
        trace_text(inter ? " is an intercommunicator" : " has no memory");
        free(ranks);
        return;
    }
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
    }
    PMPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    trace_text(" =");
    for (int i = 0; i < size; i++) {
        trace_text(" ");
        trace_number(ranks[size + i]);
    }
    free(ranks);
}

void record_new_comm(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL) {
        trace_text("\n");
        write_comm(comm);
    }
}

void record_freed_comm(MPI_Comm comm)
{
    handles_remove(&trace.comms, KEY(comm));
}

/* Requests */

void record_new_request(MPI_Request request, bool persistent)
{
    struct handles *table = persistent ? &trace.persistent : &trace.requests;
    table->next =
        trace.requests.next > trace.persistent.next ? trace.requests.next : trace.persistent.next;
    trace_number(request == MPI_REQUEST_NULL ? -1 : handles_add(table, KEY(request)));
}

struct pending record_pending(MPI_Request request)
{
    struct pending p = {-1, KEY(request)};
    if (request != MPI_REQUEST_NULL) {
        p.number = handles_find(&trace.requests, p.handle);
        p.number = p.number >= 0 ? p.number : handles_find(&trace.persistent, p.handle);
    }
    return p;
}

void record_request(const struct pending *p)
{
    trace_text(";");
    trace_number(p->number);
}

static void write_status(int64_t number, const MPI_Status *status)
{
    int bytes = 0;
    int cancelled = 0;
    PMPI_Test_cancelled(status, &cancelled);
    if (!cancelled) {
        PMPI_Get_count(status, MPI_BYTE, &bytes);
    }
    trace_text(";");
    trace_number(number);
    trace_text(",");
    trace_number(cancelled ? CANCELLED : rank_of(status->MPI_SOURCE));
    trace_text(",");
    trace_number(status->MPI_TAG == MPI_ANY_TAG ? ANY : status->MPI_TAG);
    trace_text(",");
    trace_number(bytes == MPI_UNDEFINED ? -1 : bytes);
}

void record_completed(const struct pending *p, MPI_Request after, const MPI_Status *status)
{
    if (p->number < 0) {
        return;
    }
    write_status(p->number, status);
    if (after == MPI_REQUEST_NULL) {
        handles_remove(&trace.requests, p->handle);
    }
}

void record_freed_request(const struct pending *p)
{
    handles_remove(&trace.requests, p->handle);
    handles_remove(&trace.persistent, p->handle);
}

void record_message(const MPI_Status *status)
{
    write_status(-1, status);
}
