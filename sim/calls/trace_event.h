/* trace_event.h - one call of a traced rank, whatever file it stands in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_EVENT_H
#define SIM_CALLS_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/machine/doubt.h"
#include "sim/calls/trace_calls.h"

/* In place of a rank or a tag. */
enum { TRACE_ANY = -1, TRACE_NOBODY = -2, TRACE_CANCELLED = -3 };

/* A request that has completed, or is started. */
struct trace_completed {
    int64_t request;
    int64_t source, tag; /* of what a receive got; TRACE_NOBODY: not known */
};

/* What one end sends or receives. */
struct trace_message {
    int64_t peer, tag; /* peer: rank in the communicator; of a collective operation the root */
    uint64_t bytes;
    int64_t at; /* address in the rank's memory; 0: not known */
};

/* Pointers stay valid until the next event is read. */
struct trace_event {
    enum trace_class kind;
    uint32_t call;      /* number of its name; see trace_names.h */
    uint32_t line;      /* of the file; 0: it has none */
    uint32_t thread;    /* number of the one that has called; the first one is 0 */
    int64_t start, end; /* nanoseconds since some moment before MPI_Init */
    bool immediate;     /* it makes a request */
    bool persistent;    /* which does nothing until it is started */
    bool test;          /* one that does not wait */
    int64_t request;    /* the new one */

    /* The communicator by this rank's own number of it, this rank in it, and its ranks; of
     * TRACE_COMM its ranks of the job as well (members; NULL: an intercommunicator). */
    int64_t comm, comm_rank, comm_size;
    const uint32_t *members;

    /* A send has the first one, a receive the second, and so have collective operations what a
     * rank hands over and gets, of each rank's block. */
    struct trace_message out, in;
    /* Bytes for and from each rank, comm_size of them, where a call has lists; else NULL. */
    const uint64_t *out_list, *in_list;
    bool in_place;
    struct trace_completed got; /* of a blocking receive, or a probe: where its message came from */

    const struct trace_completed *completed; /* n_completed of them */
    uint32_t n_completed;

    /* Of TRACE_POLLS, tests that found nothing: their number, and the nanoseconds in them. */
    int64_t polls, inside;
};

/* The calls of one rank, in their order. */
struct trace_source {
    /* What its file says of the whole, as soon as it was read; NaN, 0 and "": nothing. */
    double clock_difference;  /* of rank 0's clock to its own, seconds, at the start */
    bool clock_unit_open;     /* that is liballprof's number, whose unit and sign are not known */
    double tracer;            /* seconds of the tracer itself, beside the times of the events */
    char untraced[200];       /* calls that may have been made and are not here */
    struct tan_doubts doubts; /* what it does not say, which a simulation would need */
};

#endif
