/* requests.c - requests, matched messages and statuses of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/requests.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "sim/tracer/comms.h"
#include "sim/tracer/trace_file.h"

enum { ANY = -1, NOBODY = -2, CANCELLED = -3 };

/* Numbers are unique across all tables except `spans`, which holds the size of a request's span. */
static struct tan_map requests, places, persistent, spans;
static int64_t next;

static int64_t add_numbers(struct tan_map *table, uintptr_t key, int n)
{
    const int64_t number = next;
    next += n;
    return tan_map_set(table, key, number) < 0 ? -1 : number;
}

/* MPI may use one handle for all operations that are complete when their call returns. A handle
 * that already has a number is either such a handle, or its request ended in an untraced call. */
static bool is_shared(MPI_Request request)
{
    int complete = 0;
    return tan_map_find(&requests, KEY(request)) >= 0 &&
           PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           complete;
}

/* Requests with a shared handle are identified by the address of the program's variable; copies are
 * not recognised. */
static uintptr_t place_of(const MPI_Request *request)
{
    return (uintptr_t)request + KEY(*request) * (uintptr_t)UINT64_C(0x9e3779b97f4a7c15);
}

void requests_new(const MPI_Request *request, bool is_persistent)
{
    if (*request == MPI_REQUEST_NULL) {
        trace_number(-1);
        return;
    }
    if (!is_persistent && is_shared(*request)) {
        trace_number(add_numbers(&places, place_of(request), 1));
        return;
    }
    if (places.used > 0) {
        tan_map_remove(&places, place_of(request));
    }
    if (spans.used > 0) {
        tan_map_remove(&spans, KEY(*request));
    }
    trace_number(add_numbers(is_persistent ? &persistent : &requests, KEY(*request), 1));
}

int64_t requests_new_numbers(int n)
{
    next += n;
    return next - n;
}

int64_t requests_new_span(MPI_Request request, int n)
{
    if (is_shared(request)) {
        return requests_new_numbers(n);
    }
    tan_map_set(&spans, KEY(request), n);
    return add_numbers(&requests, KEY(request), n);
}

struct pending requests_pending(const MPI_Request *request)
{
    struct pending p = {-1, KEY(*request), 0};
    if (*request != MPI_REQUEST_NULL) {
        lines_lock();
        if (places.used > 0 && (p.number = tan_map_find(&places, place_of(request))) >= 0) {
            p.place = place_of(request);
        }
        p.number = p.number >= 0 ? p.number : tan_map_find(&requests, p.handle);
        p.number = p.number >= 0 ? p.number : tan_map_find(&persistent, p.handle);
        lines_unlock();
    }
    return p;
}

/* Remove a request that no longer exists. */
static void forget_request(const struct pending *p)
{
    if (p->place != 0) {
        tan_map_remove(&places, p->place);
        return;
    }
    tan_map_remove(&requests, p->handle);
    if (spans.used > 0) {
        tan_map_remove(&spans, p->handle);
    }
}

/* Persistent collective operations */

struct kept_call {
    int64_t number;
    const char *name;
    size_t length;
    char *arguments;
    bool started;
};
static struct {
    struct kept_call *call;
    size_t n, room;
    bool started; /* at least one is started */
} kept;

void requests_keep_call(MPI_Request request, const char *name, size_t line)
{
    const char *end = trace_out.at;
    const char *first = end - (trace_mark() - line);
    for (int colon = 0; colon < 2 && first < end; first++) {
        colon += *first == ':';
    }
    char *copy = malloc((size_t)(end - first) + 1);
    if (copy == NULL || TAN_RESERVE(kept.call, kept.room, kept.n + 1) < 0) {
        free(copy);
        return;
    }
    memcpy(copy, first, (size_t)(end - first));
    /* gets its number, the next one, when the line ends */
    kept.call[kept.n] = (struct kept_call){next, name, (size_t)(end - first), copy, false};
    kept.n += request != MPI_REQUEST_NULL;
}

static struct kept_call *find_kept(int64_t number)
{
    for (size_t i = kept.n; i-- > 0;) {
        if (kept.call[i].number == number) {
            return &kept.call[i];
        }
    }
    return NULL;
}

void requests_write_started(int64_t time)
{
    for (size_t i = 0; kept.started && i < kept.n; i++) {
        struct kept_call *call = &kept.call[i];
        if (call->started) {
            lines_begin(call->name, time);
            trace_text(":");
            trace_bytes(call->arguments, call->length);
            lines_end(time, call->number);
            call->started = false;
        }
    }
    kept.started = false;
}

void requests_named(const struct pending *p)
{
    trace_text(";");
    trace_number(p->number);
}

void requests_started(const struct pending *p)
{
    struct kept_call *call = kept.n == 0 ? NULL : find_kept(p->number);
    requests_named(p);
    if (call != NULL) {
        call->started = kept.started = true;
    }
}

void requests_freed(const struct pending *p)
{
    struct kept_call *call = kept.n == 0 ? NULL : find_kept(p->number);
    if (call != NULL) {
        free(call->arguments);
        *call = kept.call[--kept.n];
    }
    forget_request(p);
    tan_map_remove(&persistent, p->handle);
}

/* Statuses */

static void write_status(int64_t number, const MPI_Status *status, int shift)
{
    int bytes = 0;
    int cancelled = 0;
    const int source = status->MPI_SOURCE;
    PMPI_Test_cancelled(status, &cancelled);
    if (!cancelled) {
        PMPI_Get_count(status, MPI_BYTE, &bytes);
    }
    trace_bytes(";", 1);
    trace_number(number);
    trace_bytes(",", 1);
    trace_number(cancelled                  ? CANCELLED
                 : source == MPI_ANY_SOURCE ? ANY
                 : source == MPI_PROC_NULL  ? NOBODY
                                            : source + shift);
    trace_bytes(",", 1);
    trace_number(status->MPI_TAG == MPI_ANY_TAG ? ANY : status->MPI_TAG);
    trace_bytes(",", 1);
    trace_number(bytes == MPI_UNDEFINED ? -1 : bytes);
}

void requests_completed(const struct pending *p, MPI_Request after, const MPI_Status *status)
{
    if (p->number < 0) {
        return;
    }
    const int64_t n = spans.used == 0 || p->place != 0 ? -1 : tan_map_find(&spans, p->handle);
    write_status(p->number, status, 0);
    for (int64_t i = 1; i < n; i++) {
        requests_named(&(struct pending){.number = p->number + i});
    }
    if (after == MPI_REQUEST_NULL) {
        forget_request(p);
    }
}

void requests_message(const MPI_Status *status, MPI_Comm comm)
{
    write_status(-1, status, comms_label(comm)->shift);
}

/* Matched messages: rarely more than a few at a time */

static struct {
    struct matched *list;
    size_t n, room;
} waiting;

void requests_matched(MPI_Message message, const MPI_Status *status, MPI_Comm comm)
{
    if (TAN_RESERVE(waiting.list, waiting.room, waiting.n + 1) < 0) {
        return;
    }
    waiting.list[waiting.n++] =
        (struct matched){KEY(message), status->MPI_SOURCE, status->MPI_TAG, comm};
}

struct matched requests_take(MPI_Message message)
{
    const struct matched none = {KEY(message), MPI_PROC_NULL, 0, MPI_COMM_SELF};
    lines_lock();
    for (size_t i = waiting.n; i-- > 0;) {
        if (waiting.list[i].key == KEY(message)) {
            const struct matched found = waiting.list[i];
            waiting.list[i] = waiting.list[--waiting.n];
            lines_unlock();
            return found;
        }
    }
    lines_unlock();
    return none;
}
