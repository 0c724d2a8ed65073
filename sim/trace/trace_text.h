/* trace_text.h - calls of a traced rank, from text of libtantrace or LogGOPSim's liballprof
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_TEXT_H
#define TAN_SIM_TRACE_TRACE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"
#include "sim/trace/trace_calls.h"

/* Special ranks and tags. */
enum { TRACE_ANY = -1, TRACE_NOBODY = -2, TRACE_CANCELLED = -3 };

/* A request that has completed or is started. */
struct trace_completed {
    int64_t request;
    int64_t source, tag; /* of a received message; TRACE_NOBODY: unknown */
};

/* What one side sends or receives. */
struct trace_message {
    int64_t peer, tag; /* peer: rank in the communicator; for a collective operation the root */
    uint64_t bytes;
    const uint64_t *list; /* bytes for or from each rank of the communicator, if the call has such a
                             list; else NULL */
};

struct trace_communicator {
    int64_t number;          /* this process's own */
    int64_t rank, size;      /* its rank in it */
    const uint32_t *members; /* for TRACE_COMM only: ranks of the job, `size` values; NULL for an
                                intercommunicator */
};

/* Pointers are valid until the next event is read. */
struct trace_event {
    enum trace_class kind;
    uint32_t call;      /* index of its name, see trace_calls.h */
    uint32_t line;      /* in the file; 0: none */
    uint32_t thread;    /* index of the calling thread; the first one is 0 */
    int64_t start, end; /* nanoseconds since a fixed time before MPI_Init, whose start may be 0 */
    bool immediate;     /* creates a request */
    bool persistent;    /* which needs to be started */
    bool test;          /* does not wait */
    int64_t request;    /* number of the created request */

    struct trace_communicator comm;
    /* out: what a send sends; for a collective operation the block that each rank contributes, and
     * the root as peer. in: what a receive receives, or the block that each rank receives. */
    struct trace_message out, in;
    bool in_place;
    struct trace_completed got; /* origin of the message of a blocking receive or a probe */

    const struct trace_completed *completed; /* n_completed entries */
    uint32_t n_completed;

    /* For TRACE_POLLS: number of unsuccessful tests, and nanoseconds in them. */
    int64_t polls, inside;
};

/* Facts about the whole file of a rank, as soon as they have been read. Until then, and if the file
 * lacks them: NaN as clock_difference, else 0 and false. */
struct trace_source {
    double clock_difference;  /* between rank 0's clock and its own, seconds, at the start */
    bool clock_unit_open;     /* the number is liballprof's, with unknown unit and sign */
    double tracer;            /* seconds of the tracer itself, in addition to the events */
    struct tan_doubts doubts; /* missing information that a simulation would need */
};

struct trace_text;

/* Open the file of `rank` of `ranks`; path and names are borrowed. NULL on failure. */
struct trace_text *tan_trace_text_open(const char *path, uint32_t rank, uint32_t ranks,
                                       struct trace_names *names, struct tan_error *e);
/* 1: *event is the next one; 0: the file has no more complete lines; -1: error. O(length of the
 * line). */
int tan_trace_text_next(struct trace_text *t, struct trace_event *event, struct tan_error *e);
/* Facts about the whole file that have been read so far. */
const struct trace_source *tan_trace_text_source(const struct trace_text *t);
/* NULL is allowed. */
void tan_trace_text_close(struct trace_text *t);

#endif
