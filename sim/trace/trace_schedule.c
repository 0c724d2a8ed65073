/* trace_schedule.c - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/trace_files.h"
#include "sim/trace/trace_names.h"
#include "sim/trace/trace_program.h"
#include "sim/trace/trace_text.h"

/* A trace while it is read. */
struct reader {
    struct trace_files files;
    struct trace_names *names;
    struct trace_job job;
};

/* Feed the events of an open file to the program. */
static int read_events(struct trace_text *text, struct trace_program *program, struct tan_error *e)
{
    struct trace_event event;
    int result;
    while ((result = trace_text_next(text, &event, e)) == 1) {
        if (trace_program_add(program, &event, e) < 0) {
            return -1;
        }
    }
    return result;
}

static void keep_source(struct reader *r, uint32_t rank, const struct trace_source *source)
{
    r->job.trace->rank[rank].tracer = source->tracer;
    if (source->untraced[0] != '\0') {
        trace_remark(r->job.trace, "not traced, if the program has called them: %.150s",
                     source->untraced);
    }
}

static int read_rank(struct reader *r, uint32_t rank, uint32_t shift, struct tan_error *e)
{
    const char *path = r->files.path[rank];
    struct trace_text *text = trace_text_open(path, rank, r->files.n, r->names, e);
    struct trace_program *program =
        text == NULL ? NULL : trace_program_begin(&r->job, rank, shift, path, e);
    int result = -1;
    if (program != NULL && tan_schedule_rank(r->job.builder, rank + shift, e) == 0 &&
        read_events(text, program, e) == 0) {
        result = trace_program_began(program)
                     ? tan_schedule_rank_end(r->job.builder, NULL, e)
                     : tan_fail(e, "%s: there is no MPI_Init in it: it is no trace, or was cut off",
                                path);
        keep_source(r, rank, trace_text_source(text));
    }
    if (result == 0 && !trace_program_ended(program)) {
        r->job.trace->cut = true;
        trace_remark(r->job.trace,
                     "at least one rank has no MPI_Finalize: what there is of it is simulated");
    }
    trace_program_end(program);
    trace_text_close(text);
    return result;
}

/* When a rank left MPI_Init, by the clock of rank 0, seconds; NaN: its head does not say. */
static double left_init(struct reader *r, uint32_t rank)
{
    struct tan_error unwanted = TAN_ERROR_INIT; /* it comes again when the file is read */
    struct trace_event event = {.kind = TRACE_LOCAL};
    struct trace_text *text =
        trace_text_open(r->files.path[rank], rank, r->files.n, r->names, &unwanted);
    double left = NAN;
    while (text != NULL && event.kind != TRACE_INIT &&
           trace_text_next(text, &event, &unwanted) == 1) {
        if (event.kind == TRACE_INIT) {
            left = (double)event.end / 1e9 - trace_text_source(text)->clock_difference;
        }
    }
    trace_text_close(text);
    return left;
}

/* How far apart ranks left MPI_Init, where all of them say so. */
static void align(struct reader *r)
{
    struct tan_trace_rank *rank = r->job.trace->rank;
    double first = INFINITY;
    bool known = true;
    for (uint32_t i = 0; i < r->files.n; i++) {
        rank[i].started = left_init(r, i);
        first = fmin(first, rank[i].started);
        known = known && isfinite(rank[i].started);
    }
    for (uint32_t i = 0; i < r->files.n; i++) {
        rank[i].started = known ? rank[i].started - first : 0.0;
    }
}

static int by_seconds(const void *a, const void *b)
{
    const struct tan_trace_call *x = a;
    const struct tan_trace_call *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : strcmp(x->name, y->name);
}

static int prepare_algorithms(struct reader *r, const struct tan_trace_options *o,
                              struct tan_error *e)
{
    int result = trace_algorithms_named(o->collectives, &r->job.algorithms, e);
    for (size_t i = 0; i < o->n_algorithms && result == 0; i++) {
        result = trace_algorithms_set(&r->job.algorithms, o->algorithms[i], e);
    }
    return result;
}

/* The first communicator is that of all ranks. */
static int prepare_world(struct reader *r, struct tan_error *e)
{
    uint32_t *world = calloc(r->files.n, sizeof *world);
    for (uint32_t i = 0; world != NULL && i < r->files.n; i++) {
        world[i] = i;
    }
    const int64_t place = world == NULL ? tan_fail_nomem(e)
                                        : trace_comms_find(&r->job.comms, world, r->files.n, 0, e);
    free(world);
    return place < 0 ? -1 : 0;
}

static int prepare(struct reader *r, const char *dir, const struct tan_trace_options *o,
                   struct tan_trace *t, struct tan_error *e)
{
    if (prepare_algorithms(r, o, e) < 0 || trace_files_find(dir, &r->files, e) < 0) {
        return -1;
    }
    t->ranks = r->files.n;
    t->copies = o->copies > 0 ? o->copies : 1;
    t->rank = calloc(t->ranks, sizeof *t->rank);
    r->names = calloc(1, sizeof *r->names);
    if (t->rank == NULL || r->names == NULL) {
        return tan_fail_nomem(e);
    }
    if (t->copies > TAN_SCHEDULE_MAX_RANKS / t->ranks) {
        return tan_fail_usage(e, "--extrapolate: a schedule has at most %" PRIu32 " ranks",
                              TAN_SCHEDULE_MAX_RANKS);
    }
    r->job.trace = t;
    r->job.names = r->names;
    r->job.ranks = t->ranks;
    r->job.copies = t->copies;
    return prepare_world(r, e);
}

/* Hand over what was counted, the longest first. Local calls are not. */
static int keep_calls(struct tan_trace *t, const struct trace_names *names, struct tan_error *e)
{
    t->call = calloc(names->n + 1, sizeof *t->call);
    if (t->call == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < names->n; i++) {
        if (names->count[i].calls > 0) {
            t->call[t->n_calls++] = names->count[i];
        }
    }
    qsort(t->call, t->n_calls, sizeof *t->call, by_seconds);
    return 0;
}

/* Read all ranks. NULL without an error: requests were cancelled that are in the schedule by now;
 * they are known from then on. */
static struct tan_schedule *read_all(struct reader *r, struct tan_error *e)
{
    const uint32_t ranks = r->files.n * r->job.copies;
    r->job.surprised = false;
    r->job.builder = tan_schedule_begin(ranks, false, e);
    int result = r->job.builder == NULL ? -1 : 0;
    for (uint32_t i = 0; i < ranks && result == 0; i++) {
        result = read_rank(r, i % r->files.n, i - i % r->files.n, e);
    }
    if (result < 0 || r->job.surprised) {
        tan_schedule_abandon(r->job.builder);
        return NULL;
    }
    struct tan_schedule *schedule = tan_schedule_seal(r->job.builder, e);
    if (schedule != NULL && keep_calls(r->job.trace, r->names, e) < 0) {
        tan_schedule_destroy(schedule);
        schedule = NULL;
    }
    return schedule;
}

/* Forget what a first reading has counted. */
static void begin_again(struct reader *r)
{
    struct tan_trace *t = r->job.trace;
    for (uint32_t i = 0; i < t->ranks; i++) {
        t->rank[i] = (struct tan_trace_rank){.started = t->rank[i].started};
    }
    *r->names = (struct trace_names){.n = 0};
    t->n_remarks = 0;
    t->cut = false;
}

struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e)
{
    struct tan_schedule *schedule = NULL;
    struct reader r = {.names = NULL};
    *trace = (struct tan_trace){.ranks = 0};
    if (prepare(&r, dir, options, trace, e) == 0) {
        align(&r);
        schedule = read_all(&r, e);
        if (schedule == NULL && r.job.surprised && e->status == TAN_DONE) {
            begin_again(&r);
            schedule = read_all(&r, e);
        }
    }
    trace_files_clear(&r.files);
    trace_job_clear(&r.job);
    free(r.names);
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
