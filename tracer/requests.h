/* requests.h - requests, matched messages and statuses of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_REQUESTS_H
#define TRACER_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of a request that a call has made; persistent ones keep theirs until they are freed. -1:
 * there is nothing to wait for. */
void requests_new(const MPI_Request *request, bool persistent);
/* Numbers of `n` requests that only lines have; the first of them. */
int64_t requests_new_numbers(int n);
/* The request stands for `n` numbers; the first of them. */
int64_t requests_new_span(MPI_Request request, int n);
/* A persistent collective operation: at each start a line is written as its nonblocking form
 * `name`, with the arguments that stand in this line from START's end on. */
void requests_keep_call(MPI_Request request, const char *name, size_t line);
/* Of what has been started in this line, after it. */
void requests_write_started(int64_t time);

/* What a completion has to know of a request before it completes. */
struct pending {
    int64_t number; /* -1: none, or not traced */
    uintptr_t handle;
    uintptr_t place; /* not 0: it shares its handle, and this is its key */
};
/* `request` is where the program keeps it. */
struct pending requests_pending(const MPI_Request *request);
/* One that is cancelled: ";NUMBER", or started. */
void requests_named(const struct pending *p);
void requests_started(const struct pending *p);
/* A request that has completed: ";NUMBER,SOURCE,TAG,BYTES"; the source of a cancelled one is -3. */
void requests_completed(const struct pending *p, MPI_Request now, const MPI_Status *status);
void requests_freed(const struct pending *p);
/* ";-1,SOURCE,TAG,BYTES" of a message that was received without a request, or probed. */
void requests_message(const MPI_Status *status, MPI_Comm comm);

/* Where a message that a probe has matched came from. */
struct matched {
    uintptr_t key;
    int source, tag; /* as MPI has them */
    MPI_Comm comm;
};
void requests_matched(MPI_Message message, const MPI_Status *status, MPI_Comm comm);
/* And forget it, since it is received. */
struct matched requests_take(MPI_Message message);

#endif
