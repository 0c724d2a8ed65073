/* trace_schedule.c - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_schedule.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/trace/trace_program.h"
#include "sim/trace/trace_text.h"

enum { MOST_DIGITS = 8, NO_RANK = -1, TOO_LARGE = -2, UNCLEAR = -3 };

/* The rank at the end of a file name, before its extension. UNCLEAR: it looks like one of a
 * trace's, but something else follows the number, as in a copy "rank-5 (1).txt". */
static int64_t rank_of(const char *name)
{
    for (const char *at = name + strlen(name); at > name; at--) {
        if (at[-1] == '-' && isdigit((unsigned char)*at)) {
            const size_t zeros = strspn(at, "0");
            const size_t digits = zeros + strspn(at + zeros, "0123456789");
            const bool ends = at[digits] == '.' || at[digits] == '\0';
            const bool fits = digits - zeros <= MOST_DIGITS;
            const bool named = at - name >= 5 && strncmp(at - 5, "rank-", 5) == 0;
            return !ends  ? (named ? UNCLEAR : NO_RANK)
                   : fits ? strtoll(at + zeros, NULL, 10)
                          : TOO_LARGE;
        }
    }
    return NO_RANK;
}

/* Memory depends on the number of files, not on the ranks in their names. */
struct found {
    int64_t rank;
    char *path;
};
struct found_files {
    struct found *file;
    size_t n;
};

static int add_file(struct found_files *f, const char *dir, const char *name, int64_t rank,
                    struct tan_error *e)
{
    if (TAN_ONE_MORE(f->file, f->n) < 0) {
        return tan_fail_nomem(e);
    }
    f->file[f->n].rank = rank;
    if (asprintf(&f->file[f->n].path, "%s/%s", dir, name) < 0) {
        return tan_fail_nomem(e);
    }
    f->n++;
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : strcmp(x->path, y->path);
}

/* Check the sorted files. */
static int check_files(const struct found_files *f, const char *dir, struct tan_error *e)
{
    if (f->n == 0) {
        return tan_fail(e, "%s: no files of a trace, which have names such as rank-0.txt.zst", dir);
    }
    for (size_t i = 1; i < f->n; i++) {
        if (f->file[i].rank == f->file[i - 1].rank) {
            return tan_fail(e, "%s: two files of rank %" PRId64 ": %s and %s", dir, f->file[i].rank,
                            f->file[i - 1].path + strlen(dir) + 1,
                            f->file[i].path + strlen(dir) + 1);
        }
    }
    const int64_t last = f->file[f->n - 1].rank;
    for (size_t i = 0; i < f->n; i++) {
        if (f->file[i].rank != (int64_t)i) {
            return tan_fail(e, "%s: there are files up to rank %" PRId64 ", but none of rank %zu%s",
                            dir, last, i, last >= (int64_t)f->n + 1 ? " and others" : "");
        }
    }
    return 0;
}

static int find_files(DIR *open, const char *dir, struct found_files *f, struct tan_error *e)
{
    const struct dirent *entry;
    while ((entry = readdir(open)) != NULL) {
        const int64_t rank = entry->d_name[0] == '.' ? NO_RANK : rank_of(entry->d_name);
        if (rank == TOO_LARGE) {
            return tan_fail(e, "%s: the number of %s is too large for a rank", dir, entry->d_name);
        }
        if (rank == UNCLEAR) {
            return tan_fail(e,
                            "%s: %s cannot be told from a rank's file: only an extension such as "
                            ".txt.zst may follow the number",
                            dir, entry->d_name);
        }
        if (rank != NO_RANK && add_file(f, dir, entry->d_name, rank, e) < 0) {
            return -1;
        }
    }
    if (f->n > 0) {
        qsort(f->file, f->n, sizeof *f->file, by_rank);
    }
    return check_files(f, dir, e);
}

/* Find the files whose names end with "-NUMBER", a rank, before an extension or without one:
 * rank-07.txt.zst, and liballprof's pmpi-trace-rank-7.txt. Each number from 0 to the highest one
 * must occur exactly once. Names that begin with "." are ignored. "rank-NUMBER" followed by
 * anything but an extension is an error. *out is cleared by the caller, even after a failure. */
static int find_trace_files(const char *dir, struct found_files *out, struct tan_error *e)
{
    DIR *open = opendir(dir);
    if (open == NULL) {
        return tan_fail_errno(e, "cannot read the folder %s", dir);
    }
    const int result = find_files(open, dir, out, e);
    closedir(open);
    return result;
}

static void clear_trace_files(struct found_files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->file[i].path);
    }
    free(f->file);
}

/* A rank's file during reading. */
struct rank_reader {
    uint32_t rank;
    struct trace_text *calls;
    struct trace_program *program;
};

/* A program's trace during reading. */
struct reader {
    struct found_files files; /* sorted by rank */
    struct trace_names *names;
    struct trace_job job;
};

/* At the end of the file. */
static int finish_rank(struct reader *r, struct rank_reader *k, struct tan_error *e)
{
    if (!tan_trace_program_began(k->program)) {
        return tan_fail(e, "%s: there is no MPI_Init in it: it is no trace, or was cut off",
                        r->files.file[k->rank].path);
    }
    const struct trace_source *source = tan_trace_text_source(k->calls);
    r->job.trace->rank[k->rank].tracer = source->tracer;
    tan_doubts_join(&r->job.trace->doubts, &source->doubts);
    if (!tan_trace_program_ended(k->program)) {
        r->job.trace->cut = true;
        tan_doubts_add(&r->job.trace->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                       "at least one rank has no MPI_Finalize: what there is of it is simulated");
    }
    return 0;
}

static int read_rank(struct reader *r, struct rank_reader *k, struct tan_error *e)
{
    struct trace_event event;
    int result;
    while ((result = tan_trace_text_next(k->calls, &event, e)) > 0) {
        if (tan_trace_program_add(k->program, &event, e) < 0) {
            return -1;
        }
    }
    return result < 0 ? -1 : finish_rank(r, k, e);
}

/* The whole program of a rank. */
static int load_rank(struct reader *r, uint32_t rank, struct tan_error *e)
{
    const char *path = r->files.file[rank].path;
    struct rank_reader k = {.rank = rank};
    k.calls = tan_trace_text_open(path, rank, r->job.ranks, r->names, e);
    k.program = k.calls != NULL ? tan_trace_program_begin(&r->job, rank, path, e) : NULL;
    const bool read = k.program != NULL && tan_schedule_rank(r->job.builder, rank, e) == 0 &&
                      read_rank(r, &k, e) == 0 &&
                      tan_schedule_rank_end(r->job.builder, NULL, e) == 0;
    tan_trace_program_end(k.program);
    tan_trace_text_close(k.calls);
    return read ? 0 : -1;
}

/* When a rank left MPI_Init by its own clock, and the clock's offset from the file's head; NaN if
 * unknown. */
struct init_end {
    double at, difference;
    bool unit_open;
};

static struct init_end left_init(struct reader *r, uint32_t rank)
{
    struct tan_error unwanted = TAN_ERROR_INIT; /* it is reported when the file is read */
    struct trace_event event = {.kind = TRACE_LOCAL};
    struct trace_text *calls =
        tan_trace_text_open(r->files.file[rank].path, rank, r->job.ranks, r->names, &unwanted);
    struct init_end left = {NAN, NAN, false};
    while (calls != NULL && event.kind != TRACE_INIT &&
           tan_trace_text_next(calls, &event, &unwanted) == 1) {
        if (event.kind == TRACE_INIT) {
            const struct trace_source *source = tan_trace_text_source(calls);
            left = (struct init_end){(double)event.end / 1e9, source->clock_difference,
                                     source->clock_unit_open};
        }
    }
    tan_trace_text_close(calls);
    return left;
}

/* Time between the first and the last rank to leave MPI_Init, with clock offsets in this unit; NaN
 * if unknown. */
static double spread_of(const struct init_end *left, uint32_t ranks, double unit, double *first)
{
    double last = -INFINITY;
    *first = INFINITY;
    for (uint32_t i = 0; i < ranks; i++) {
        const double at = left[i].at - unit * left[i].difference;
        if (!isfinite(at)) {
            return NAN;
        }
        *first = fmin(*first, at);
        last = fmax(last, at);
    }
    return last - *first;
}

/* Versions of liballprof write microseconds or seconds, of its own clock minus that of rank 0 or
 * vice versa, without a consistent unit ("# clockdiff: 250000.0 s" are microseconds). Ranks leave
 * MPI_Init together, so the unit that brings them much closer is the right one. */
static double clock_unit(const struct init_end *left, uint32_t ranks)
{
    static const double units[] = {1e-6, 1.0, -1e-6, -1.0};
    enum { CLOSER = 10 };
    double first;
    double unit = units[0];
    for (uint32_t i = 0; i < ranks; i++) {
        if (!left[i].unit_open) {
            return 1.0;
        }
    }
    for (size_t i = 1; i < sizeof units / sizeof *units; i++) {
        if (CLOSER * spread_of(left, ranks, units[i], &first) <
            spread_of(left, ranks, unit, &first)) {
            unit = units[i];
        }
    }
    return unit;
}

/* Set when ranks left MPI_Init, if all of them record it; under Schedgen they start
 * simultaneously. */
static int align_starts(struct reader *r, struct tan_error *e)
{
    const uint32_t ranks = r->job.ranks;
    if (r->job.algorithms.schedgen) {
        return 0;
    }
    struct init_end *left = malloc(ranks * sizeof *left);
    if (left == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < ranks; i++) {
        left[i] = left_init(r, i);
    }
    const double unit = clock_unit(left, ranks);
    double first;
    const bool known = isfinite(spread_of(left, ranks, unit, &first));
    for (uint32_t i = 0; i < ranks; i++) {
        r->job.trace->rank[i].started = known ? left[i].at - unit * left[i].difference - first : 0;
    }
    free(left);
    return 0;
}

/* Bad clock comparisons, or a wrong unit, move ranks apart. */
static void doubt_clocks(struct tan_trace *t)
{
    enum { AT_LEAST_MS = 10 }; /* time that a rank may have waited for a core */
    double run = AT_LEAST_MS / 1e3;
    double spread = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        run = fmax(run, (double)t->rank[i].run_ns / 1e9);
        spread = fmax(spread, t->rank[i].started);
    }
    if (spread > run) {
        tan_doubts_add(
            &t->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
            "by their clocks ranks left MPI_Init up to %.6g s apart, longer than they ran: "
            "the differences of clocks in the trace may be wrong",
            spread);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct tan_trace_call *x = a;
    const struct tan_trace_call *y = b;
    return x->time_ns != y->time_ns ? (x->time_ns < y->time_ns ? 1 : -1) : strcmp(x->name, y->name);
}

static int prepare_algorithms(struct reader *r, const struct tan_trace_options *o,
                              struct tan_error *e)
{
    int result = tan_trace_algorithms_named(o->collectives, &r->job.algorithms, e);
    for (size_t i = 0; i < o->n_algorithms && result == 0; i++) {
        result = tan_trace_algorithms_set(&r->job.algorithms, o->algorithms[i], e);
    }
    return result;
}

static int prepare_reader(struct reader *r, const char *dir, const struct tan_trace_options *o,
                          struct tan_trace *t, struct tan_error *e)
{
    if (prepare_algorithms(r, o, e) < 0 || find_trace_files(dir, &r->files, e) < 0) {
        return -1;
    }
    t->ranks = (uint32_t)r->files.n;
    t->rank = calloc(t->ranks, sizeof *t->rank);
    r->names = calloc(1, sizeof *r->names);
    if (t->rank == NULL || r->names == NULL) {
        return tan_fail_nomem(e);
    }
    if (t->ranks > TAN_SCHEDULE_MAX_RANKS) {
        return tan_fail_usage(e, "a schedule has at most %" PRIu32 " ranks",
                              TAN_SCHEDULE_MAX_RANKS);
    }
    if (tan_schedule_check_memory(t->ranks, 0, e) < 0) {
        return -1;
    }
    r->job.trace = t;
    r->job.names = r->names;
    r->job.ranks = t->ranks;
    return tan_trace_comms_world(&r->job.comms, t->ranks, e);
}

/* Store the counters except those of local calls, sorted by time, longest first. */
static int keep_calls(struct tan_trace *t, const struct trace_names *names, struct tan_error *e)
{
    doubt_clocks(t);
    t->call = calloc(names->n + 1, sizeof *t->call);
    if (t->call == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < names->n; i++) {
        if (names->count[i].calls > 0) {
            t->call[t->n_calls] = names->count[i];
            t->call[t->n_calls++].phase = (uint16_t)(TAN_TRACE_COMPUTATION + 1 + i);
        }
    }
    qsort(t->call, t->n_calls, sizeof *t->call, by_time);
    return 0;
}

/* Read all ranks. *surprised: the schedule contained requests that turned out to be cancelled, so
 * it was dropped; they are now in job.cancelled, and the next reading omits them. */
static struct tan_schedule *read_once(struct reader *r, bool *surprised, struct tan_error *e)
{
    r->job.builder = tan_schedule_begin(r->job.ranks, false, e);
    int result = r->job.builder == NULL ? -1 : 0;
    r->job.surprised = false;
    for (uint32_t i = 0; i < r->job.ranks && result == 0; i++) {
        result = load_rank(r, i, e);
    }
    *surprised = r->job.surprised;
    if (result < 0 || keep_calls(r->job.trace, r->names, e) < 0 || *surprised) {
        tan_schedule_abandon(r->job.builder);
        return NULL;
    }
    return tan_schedule_seal(r->job.builder, e);
}

/* Forget the counters of a first reading. */
static void begin_again(struct reader *r)
{
    struct tan_trace *t = r->job.trace;
    for (uint32_t i = 0; i < t->ranks; i++) {
        t->rank[i] = (struct tan_trace_rank){.started = t->rank[i].started};
    }
    free(t->call);
    t->call = NULL;
    t->n_calls = 0;
    *r->names = (struct trace_names){.n = 0};
    tan_doubts_clear(&t->doubts);
    t->cut = false;
}

/* Read again if requests turned out to be cancelled. NULL with an error in `e`. */
static struct tan_schedule *read_all(struct reader *r, const char *dir, struct tan_error *e)
{
    bool surprised;
    struct tan_schedule *schedule = read_once(r, &surprised, e);
    if (schedule != NULL || e->status != TAN_DONE) {
        return schedule;
    }
    begin_again(r);
    schedule = read_once(r, &surprised, e);
    if (surprised) {
        tan_fail(e, "internal error: requests of %s are cancelled each time it is read", dir);
    }
    return schedule;
}

struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e)
{
    struct reader r = {.names = NULL};
    *trace = (struct tan_trace){.ranks = 0};
    struct tan_schedule *schedule =
        prepare_reader(&r, dir, options, trace, e) == 0 && align_starts(&r, e) == 0
            ? read_all(&r, dir, e)
            : NULL;
    clear_trace_files(&r.files);
    tan_trace_job_clear(&r.job);
    free(r.names);
    return schedule;
}

void tan_trace_clear(struct tan_trace *trace)
{
    free(trace->rank);
    free(trace->call);
    tan_doubts_clear(&trace->doubts);
    *trace = (struct tan_trace){.ranks = 0};
}
