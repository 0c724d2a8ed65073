/* trace_text.c - calls of a traced rank, from text of libtantrace or LogGOPSim's liballprof
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/schedule/schedule.h"
#include "sim/trace/trace_input.h"

enum { FIELDS = 32 };

struct trace_text {
    const char *path;
    uint32_t rank, ranks;
    struct trace_names *names;
    struct trace_source source;
    bool ours; /* libtantrace's */
    uint32_t thread;

    struct trace_input *input;
    uint32_t line;
    char *field[FIELDS];
    int fields;

    struct trace_completed *completed;
    size_t room_completed;
    uint64_t *list[2];
    uint32_t *members;
    uint32_t room_lists;
};

static int fail_line(struct trace_text *t, struct tan_error *e, const char *problem)
{
    return tan_fail_at(e, t->path, (int)t->line, 0, "%s", problem);
}

/* Fields */

static void split_fields(struct trace_text *t, char *line)
{
    t->fields = 1;
    t->field[0] = line;
    for (char *at = line; *at != '\0'; at++) {
        if (*at == ':') {
            *at = '\0';
            if (t->fields == FIELDS) {
                return;
            }
            t->field[t->fields++] = at + 1;
        }
    }
}

/* Read an integer at *at and advance past it; false if there is none. Values that do not fit become
 * INT64_MAX or -INT64_MAX. */
static bool read_integer(const char **at, int64_t *value)
{
    const char *p = *at;
    const bool negative = *p == '-';
    int64_t sum = 0;
    const char *const first = p += negative;
    for (; *p >= '0' && *p <= '9'; p++) {
        sum = sum > INT64_MAX / 10 - 1 ? INT64_MAX : 10 * sum + (*p - '0');
    }
    *value = negative ? -sum : sum;
    *at = p;
    return p > first;
}

static int number_of(struct trace_text *t, int field, int64_t *value, struct tan_error *e)
{
    const char *at = field < t->fields ? t->field[field] : "";
    return read_integer(&at, value) && (*at == '\0' || *at == ',')
               ? 0
               : fail_line(t, e, "this call lacks a number that it should have");
}

/* The size in "TYPE,SIZE,EXTENT"; -1 if malformed. */
static int64_t size_of(const struct trace_text *t, int type)
{
    const char *at = type < t->fields ? strchr(t->field[type], ',') : NULL;
    int64_t size;
    return at != NULL && (at++, read_integer(&at, &size)) && *at == ',' ? size : -1;
}

static bool is_count(int64_t n, int64_t size)
{
    return n >= 0 && (size == 0 || n <= (int64_t)(TAN_SCHEDULE_MAX_BYTES / (uint64_t)size));
}

static int bytes_of(struct trace_text *t, const struct trace_arguments *of, uint64_t *bytes,
                    struct tan_error *e)
{
    int64_t n;
    const int64_t size = size_of(t, of->type);
    if (number_of(t, of->count, &n, e) < 0) {
        return -1;
    }
    if (size < 0 || !is_count(n, size)) {
        return fail_line(t, e, "this call's count or type is not one");
    }
    *bytes = (uint64_t)n * (uint64_t)size;
    return 0;
}

static int make_room(struct trace_text *t, int64_t n, struct tan_error *e)
{
    if (n <= t->room_lists) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        free(t->list[i]);
        t->list[i] = malloc((size_t)n * sizeof *t->list[i]);
    }
    free(t->members);
    t->members = malloc((size_t)n * sizeof *t->members);
    const bool whole_room = t->list[0] != NULL && t->list[1] != NULL && t->members != NULL;
    t->room_lists = whole_room ? (uint32_t)n : 0;
    return whole_room ? 0 : tan_fail_nomem(e);
}

/* "4,0,8" times the type's size. */
static int list_of(struct trace_text *t, const struct trace_arguments *of, uint64_t *list,
                   int64_t n, struct tan_error *e)
{
    const int64_t size = size_of(t, of->type);
    if (size < 0 || of->counts >= t->fields) {
        return fail_line(t, e, "this call's type is not one");
    }
    const char *at = t->field[of->counts];
    for (int64_t i = 0; i < n; i++) {
        int64_t count;
        if (!read_integer(&at, &count) || !is_count(count, size) ||
            *at != (i + 1 < n ? ',' : '\0')) {
            return fail_line(t, e, "this call lacks a count for some rank");
        }
        at++;
        list[i] = (uint64_t)count * (uint64_t)size;
    }
    return 0;
}

/* A time in microseconds, of whose decimals three count, as nanoseconds. */
static int time_of(struct trace_text *t, int field, int64_t *ns, struct tan_error *e)
{
    enum { DECIMALS = 3 };
    const char *at = field < t->fields ? t->field[field] : "";
    int64_t us;
    if (field >= t->fields) {
        return fail_line(t, e, "this call has fewer fields than it should");
    }
    const bool begins = read_integer(&at, &us) && us >= 0 && us < INT64_MAX / 4000;
    int64_t sum = begins ? us : 0;
    at += *at == '.';
    for (int i = 0; i < DECIMALS; i++) {
        const bool digit = *at >= '0' && *at <= '9';
        sum = 10 * sum + (digit ? *at - '0' : 0);
        at += digit;
    }
    while (*at >= '0' && *at <= '9') {
        at++;
    }
    *ns = sum;
    return begins && *at == '\0' ? 0 : fail_line(t, e, "this call's time is not one");
}

/* "NUMBER,RANK,SIZE" */
static int comm_of(struct trace_text *t, int field, struct trace_event *event, struct tan_error *e)
{
    const char *at = field < t->fields ? t->field[field] : "";
    int64_t *const parts[] = {&event->comm.number, &event->comm.rank, &event->comm.size};
    for (int i = 0; i < 3; i++) {
        if (!read_integer(&at, parts[i]) || *at != (i < 2 ? ',' : '\0')) {
            return fail_line(t, e, "this call lacks a number that it should have");
        }
        at++;
    }
    return 0;
}

/* Fields after the end time */

/* The text after the end time; "" if there is none. */
static const char *addition_of(const struct trace_text *t, const struct trace_call *row)
{
    return row->end + 1 < t->fields ? t->field[row->end + 1] : "";
}

/* ";NUMBER" or ";NUMBER,SOURCE,TAG,BYTES"; false at the end. */
static bool next_completed(const char **at, struct trace_completed *c)
{
    int64_t bytes;
    const char *p = strchr(*at, ';');
    c->source = c->tag = TRACE_NOBODY;
    if (p == NULL || (p++, !read_integer(&p, &c->request))) {
        return false;
    }
    if (*p == ',' && (p++, read_integer(&p, &c->source)) && *p == ',' &&
        (p++, read_integer(&p, &c->tag)) && *p == ',') {
        p++;
        read_integer(&p, &bytes);
    }
    *at = p;
    return true;
}

static int add_completed(struct trace_text *t, struct trace_event *event,
                         const struct trace_completed *c, struct tan_error *e)
{
    if (TAN_RESERVE(t->completed, t->room_completed, event->n_completed + 1) < 0) {
        return tan_fail_nomem(e);
    }
    t->completed[event->n_completed++] = *c;
    event->completed = t->completed;
    return 0;
}

/* The completed requests, which follow the end time. liballprof has the address of the array
 * instead: elements then stand for requests. */
static int completed_of(struct trace_text *t, const struct trace_call *row,
                        struct trace_event *event, struct tan_error *e)
{
    /* a request's bytes in Open MPI, which liballprof was written for; and a limit for numbers that
     * are none of requests */
    enum { REQUEST_BYTES = 8, MOST = 1 << 20 };
    const char *at = addition_of(t, row);
    struct trace_completed c = {0, TRACE_NOBODY, TRACE_NOBODY};
    int64_t left = 1;
    int result = 0;
    if (row->end + 1 < t->fields) {
        while (result == 0 && next_completed(&at, &c)) {
            result = add_completed(t, event, &c, e);
        }
        return result;
    }
    if (row->request == 0) {
        return 0;
    }
    if (number_of(t, row->request, &c.request, e) < 0 ||
        (row->n > 0 && number_of(t, row->n, &left, e) < 0)) {
        return -1;
    }
    if (left > MOST || c.request > INT64_MAX - MOST * REQUEST_BYTES) {
        return fail_line(t, e, "this call completes more requests than a program can have");
    }
    for (; left > 0 && result == 0; left--, c.request += REQUEST_BYTES) {
        result = add_completed(t, event, &c, e);
    }
    return result;
}

/* A new request: its number, or for liballprof its address. */
static int request_of(struct trace_text *t, const struct trace_call *row, struct trace_event *event,
                      struct tan_error *e)
{
    const char *at = addition_of(t, row);
    return read_integer(&at, &event->request) && *at == '\0'
               ? 0
               : number_of(t, row->request, &event->request, e);
}

/* Calls */

static int message_of(struct trace_text *t, const struct trace_arguments *of,
                      struct trace_message *to, struct tan_error *e)
{
    return number_of(t, of->peer, &to->peer, e) < 0 || number_of(t, of->tag, &to->tag, e) < 0
               ? -1
               : bytes_of(t, of, &to->bytes, e);
}

static int collective_of(struct trace_text *t, const struct trace_call *row,
                         struct trace_event *event, struct tan_error *e)
{
    const int64_t n = event->comm.size;
    if (row->data.peer > 0 && number_of(t, row->data.peer, &event->out.peer, e) < 0) {
        return -1;
    }
    if (event->comm.rank < 0 || event->comm.rank >= n || n > t->ranks) {
        return fail_line(t, e,
                         "this rank is not in its communicator, or that is larger than the job");
    }
    const struct trace_arguments *of[] = {&row->data, &row->received};
    struct trace_message *to[] = {&event->out, &event->in};
    for (int i = 0; i < 2; i++) {
        if (of[i]->count > 0 && bytes_of(t, of[i], &to[i]->bytes, e) < 0) {
            return -1;
        }
        if (of[i]->counts > 0) {
            if (make_room(t, n, e) < 0 || list_of(t, of[i], t->list[i], n, e) < 0) {
                return -1;
            }
            to[i]->list = t->list[i];
        }
    }
    const uint8_t type = row->data.type;
    event->in_place = type > 0 && type < t->fields && strncmp(t->field[type], "0,0,", 4) == 0;
    return 0;
}

static int arguments_of(struct trace_text *t, const struct trace_call *row,
                        struct trace_event *event, struct tan_error *e)
{
    if (row->comm > 0 && comm_of(t, row->comm, event, e) < 0) {
        return -1;
    }
    if (row->immediate && request_of(t, row, event, e) < 0) {
        return -1;
    }
    const char *at = addition_of(t, row);
    switch (row->kind) {
    case TRACE_SEND:
        return message_of(t, &row->data, &event->out, e);
    case TRACE_RECV:
        next_completed(&at, &event->got);
        return message_of(t, &row->data, &event->in, e);
    case TRACE_SENDRECV:
        next_completed(&at, &event->got);
        return message_of(t, &row->data, &event->out, e) < 0
                   ? -1
                   : message_of(t, &row->received, &event->in, e);
    case TRACE_COMPLETE:
    case TRACE_START:
    case TRACE_CANCEL:
        return completed_of(t, row, event, e);
    default:
        return tan_trace_is_collective(row->kind) ? collective_of(t, row, event, e) : 0;
    }
}

/* The position of the end time. In a call with unknown arguments it is the last field, or the one
 * before an empty addition. liballprof's MPI_Finalize has "-" in its place: the start counts. */
static int end_of(const struct trace_text *t, const struct trace_call *row)
{
    const int last = t->fields - 1;
    if (row->kind == TRACE_INIT) {
        return t->fields > row->end ? row->end : 4;
    }
    if (row->kind == TRACE_FINALIZE && t->fields > row->end &&
        strcmp(t->field[row->end], "-") == 0) {
        return 1;
    }
    if (row->kind == TRACE_UNKNOWN) {
        return t->fields > 2 && t->field[last][0] == '\0' ? last - 1 : last;
    }
    return row->end;
}

static int read_call(struct trace_text *t, char *line, struct trace_event *event,
                     struct tan_error *e)
{
    split_fields(t, line);
    const size_t length = t->fields > 1 ? (size_t)(t->field[1] - line) - 1 : strlen(line);
    event->call = tan_trace_names_find(t->names, line, length, e);
    if (event->call == UINT32_MAX) {
        return tan_error_locate(e, t->path, (int)t->line, 0);
    }
    const struct trace_call *row = &t->names->row[event->call];
    event->kind = row->kind;
    if (row->kind == TRACE_LOCAL) {
        return 1;
    }
    if ((row->kind != TRACE_INIT && time_of(t, 1, &event->start, e) < 0) ||
        time_of(t, end_of(t, row), &event->end, e) < 0) {
        return -1;
    }
    event->immediate = row->immediate;
    event->persistent = row->persistent;
    event->test = row->test;
    if (row->test && strchr(addition_of(t, row), ';') == NULL) {
        event->kind = TRACE_POLLS;
        event->polls = 1;
        event->inside = event->end - event->start;
        return 1;
    }
    return row->kind == TRACE_UNKNOWN || arguments_of(t, row, event, e) == 0 ? 1 : -1;
}

/* Comments */

/* "NUMBER = RANK..." */
static int read_comm(struct trace_text *t, const char *at, struct trace_event *event,
                     struct tan_error *e)
{
    event->kind = TRACE_COMM;
    if (!read_integer(&at, &event->comm.number) || make_room(t, t->ranks, e) < 0) {
        return e->status != TAN_DONE
                   ? -1
                   : fail_line(t, e, "a communicator's line is \"# comm NUMBER = RANK...\"");
    }
    at = strstr(at, "= ");
    if (at == NULL) { /* an intercommunicator */
        return 1;
    }
    for (at += 2; *at != '\0'; at += strspn(at, " ")) {
        int64_t rank;
        if (!read_integer(&at, &rank) || rank < 0 || rank >= t->ranks ||
            event->comm.size == t->ranks) {
            return fail_line(t, e, "a rank of this communicator is none of the trace's");
        }
        t->members[event->comm.size++] = (uint32_t)rank;
    }
    event->comm.members = t->members;
    return 1;
}

/* "START:END:NUMBER:TIME": consecutive unsuccessful tests, and the time in them. */
static int read_polls(struct trace_text *t, char *text, struct trace_event *event,
                      struct tan_error *e)
{
    static const char name[] = "empty tests";
    split_fields(t, text);
    event->kind = TRACE_POLLS;
    event->call = tan_trace_names_find(t->names, name, strlen(name), e);
    if (event->call == UINT32_MAX || time_of(t, 0, &event->start, e) < 0 ||
        time_of(t, 1, &event->end, e) < 0 || number_of(t, 2, &event->polls, e) < 0 ||
        time_of(t, 3, &event->inside, e) < 0) {
        return -1;
    }
    return event->inside <= event->end - event->start && event->polls > 0
               ? 1
               : fail_line(
                     t, e,
                     "the number of tests must be 1 or more, and their time at most that from "
                     "start to end");
}

/* "NAME:START:END": a call of which only the time is known. Like a TRACE_FORGET, it adds
 * nothing to the schedule. */
static int read_time(struct trace_text *t, char *text, struct trace_event *event,
                     struct tan_error *e)
{
    split_fields(t, text);
    event->kind = TRACE_FORGET;
    event->call = tan_trace_names_find(t->names, text, strlen(text), e);
    return event->call == UINT32_MAX || time_of(t, 1, &event->start, e) < 0 ||
                   time_of(t, 2, &event->end, e) < 0
               ? -1
               : 1;
}

/* The rest of a line that starts with `start`; NULL if it does not. */
static const char *rest_after(const char *line, const char *start)
{
    const size_t length = strlen(start);
    return strncmp(line, start, length) == 0 ? line + length : NULL;
}

/* "NUMBER" of the thread whose calls follow. */
static int read_thread(struct trace_text *t, const char *at, struct tan_error *e)
{
    enum { MOST = 1 << 16 };
    int64_t thread;
    if (!read_integer(&at, &thread) || *at != '\0' || thread < 0 || thread >= MOST) {
        return fail_line(t, e,
                         "a thread's line is \"# thread NUMBER\", with a number from 0 to 65535");
    }
    t->thread = (uint32_t)thread;
    tan_doubts_add(&t->source.doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                   "several threads call MPI: each is simulated separately from MPI_Init on, "
                   "and where one waits for another is not known");
    return 0;
}

/* "CORES for RANKS ranks on HOST", for the host with most ranks per core. */
static int read_cores(struct trace_text *t, const char *at, struct tan_error *e)
{
    int64_t cores;
    int64_t ranks;
    if (!read_integer(&at, &cores) || (at = rest_after(at, " for ")) == NULL ||
        !read_integer(&at, &ranks) || (at = rest_after(at, " ranks on ")) == NULL || cores < 1 ||
        ranks < 1) {
        return fail_line(t, e,
                         "a line of cores is \"# cores: CORES for RANKS ranks on HOST\", with "
                         "numbers from 1 on");
    }
    if (ranks > cores) {
        tan_doubts_add(
            &t->source.doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
            "traced with more ranks than cores (%" PRId64 " ranks on %" PRId64
            " core%s of %.40s): computation, which the simulation repeats, and times in calls "
            "are longer than with a core for each; trace on more cores",
            ranks, cores, cores == 1 ? "" : "s", at);
    }
    return 0;
}

/* The number at the start of `text`: some tracers append a unit. */
static int read_seconds(struct trace_text *t, const char *text, double *seconds,
                        struct tan_error *e)
{
    char *end;
    *seconds = strtod(text, &end);
    return end == text || !isfinite(*seconds)
               ? fail_line(t, e, "a time of a trace's head is a finite number of seconds")
               : 0;
}

/* 1: an event; 0: none. */
static int read_comment(struct trace_text *t, char *line, struct trace_event *event,
                        struct tan_error *e)
{
    static const char polls[] = "# polls: ", call[] = "# call: ";
    const char *text;
    uint32_t rank;
    uint32_t of;
    if (rest_after(line, polls) != NULL) {
        return read_polls(t, line + strlen(polls), event, e);
    }
    if (rest_after(line, call) != NULL) {
        return read_time(t, line + strlen(call), event, e);
    }
    if ((text = rest_after(line, "# comm ")) != NULL) {
        return read_comm(t, text, event, e);
    }
    if ((text = rest_after(line, "# doubt: ")) != NULL) {
        tan_doubts_add(&t->source.doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL, "%s", text);
    } else if ((text = rest_after(line, "# thread ")) != NULL) {
        return read_thread(t, text, e);
    } else if ((text = rest_after(line, "# cores: ")) != NULL) {
        return read_cores(t, text, e);
    } else if ((text = rest_after(line, "# tracer: ")) != NULL) {
        return read_seconds(t, text, &t->source.tracer, e);
    } else if (rest_after(line, "# tantrace ") != NULL) {
        t->ours = true;
    } else if ((text = rest_after(line, "# Init clockdiff: ")) != NULL ||
               (text = rest_after(line, "# clockdiff: ")) != NULL) { /* versions of liballprof */
        t->source.clock_unit_open = !t->ours;
        return read_seconds(t, text, &t->source.clock_difference, e);
    } else if (sscanf(line, "# rank %" SCNu32 " of %" SCNu32, &rank, &of) == 2 &&
               (of != t->ranks || rank != t->rank)) {
        return tan_fail_at(e, t->path, (int)t->line, 0,
                           "it is of rank %" PRIu32 " of %" PRIu32 ", and the folder has %" PRIu32
                           " files",
                           rank, of, t->ranks);
    }
    return 0;
}

/* Lines */

int tan_trace_text_next(struct trace_text *t, struct trace_event *event, struct tan_error *e)
{
    char *line;
    while ((line = tan_trace_input_line(t->input, NULL)) != NULL) {
        int result = 0;
        t->line++;
        *event = (struct trace_event){
            .line = t->line, .thread = t->thread, .got = {-1, TRACE_NOBODY, TRACE_NOBODY}};
        if (line[0] == '#') {
            result = read_comment(t, line, event, e);
        } else if (strncmp(line, "MPI_", 4) == 0) {
            result = read_call(t, line, event, e);
        } else if (line[0] != '\0') {
            result =
                fail_line(t, e,
                          "this line is neither a call, which begins with MPI_, nor a comment, "
                          "which begins with #");
        }
        if (result != 0) {
            return result;
        }
    }
    return tan_trace_input_error(t->input) == NULL
               ? 0
               : fail_line(t, e, tan_trace_input_error(t->input));
}

struct trace_text *tan_trace_text_open(const char *path, uint32_t rank, uint32_t ranks,
                                       struct trace_names *names, struct tan_error *e)
{
    struct trace_text *t = calloc(1, sizeof *t);
    if (t == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    t->path = path;
    t->rank = rank;
    t->ranks = ranks;
    t->names = names;
    t->source.clock_difference = NAN;
    t->input = tan_trace_input_open(path, e);
    if (t->input == NULL) {
        tan_trace_text_close(t);
        return NULL;
    }
    return t;
}

const struct trace_source *tan_trace_text_source(const struct trace_text *t)
{
    return &t->source;
}

void tan_trace_text_close(struct trace_text *t)
{
    if (t == NULL) {
        return;
    }
    tan_trace_input_close(t->input);
    free(t->completed);
    free(t->list[0]);
    free(t->list[1]);
    free(t->members);
    tan_doubts_clear(&t->source.doubts);
    free(t);
}
