/* requests.h - requests, matched messages and statuses of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_REQUESTS_H
#define TAN_SIM_TRACER_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number a request created by a call and write the number, or -1 for MPI_REQUEST_NULL; persistent
 * ones keep theirs until freed. */
void requests_new(const MPI_Request *request, bool persistent);
/* Reserve `n` numbers used only in lines; returns the first. */
int64_t requests_new_numbers(int n);
/* Let the request stand for `n` numbers; returns the first. */
int64_t requests_new_span(MPI_Request request, int n);
/* Keep a persistent collective operation: each start is recorded as its nonblocking form `name`,
 * with this line's arguments from the end of START on. */
void requests_keep_call(MPI_Request request, const char *name, size_t line);
/* After the line of a call: a line, at `time`, for each kept call that it started. */
void requests_write_started(int64_t time);

/* What must be saved about a request before it completes. */
struct pending {
    int64_t number; /* -1: no request, or an untraced one */
    uintptr_t handle;
    uintptr_t place; /* not 0: the handle is shared, and this is the key */
};
/* `request` is the program's variable. */
struct pending requests_pending(const MPI_Request *request);
/* ";NUMBER" of a request being cancelled or started. */
void requests_named(const struct pending *p);
void requests_started(const struct pending *p);
/* ";NUMBER,SOURCE,TAG,BYTES" of a completed request; the source is -3 if it was cancelled. */
void requests_completed(const struct pending *p, MPI_Request now, const MPI_Status *status);
void requests_freed(const struct pending *p);
/* ";-1,SOURCE,TAG,BYTES" of a message that was probed, or received without a request. */
void requests_message(const MPI_Status *status, MPI_Comm comm);

/* Source of a message matched by a probe. */
struct matched {
    uintptr_t key;
    int source, tag; /* in MPI's encoding */
    MPI_Comm comm;
};
void requests_matched(MPI_Message message, const MPI_Status *status, MPI_Comm comm);
/* Remove and return it, as it is being received. */
struct matched requests_take(MPI_Message message);

#endif
