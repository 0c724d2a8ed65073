/* trace_calls.h - a traced program: ranks, calls, positions of arguments, names and counters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_CALLS_H
#define TAN_SIM_TRACE_TRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"

/* One rank of the traced program; times in seconds, those in `_ns` in nanoseconds. */
struct tan_trace_rank {
    double started;  /* return from MPI_Init by the clock of rank 0, relative to the first rank */
    uint64_t run_ns; /* from MPI_Init to the last call */
    uint64_t in_mpi_ns; /* part of it in MPI */
    double polled; /* part of `run_ns` in and between unsuccessful tests, up to a successful one: a
                      wait in the schedule */
    double tracer; /* additional time of the tracer, which other ranks may have waited for in MPI;
                      0: unknown */
    uint64_t calls;
};

/* Calls of one name on all ranks. */
struct tan_trace_call {
    char name[40];
    uint64_t calls, bytes; /* bytes: received by receives; else sent or contributed by the
                              caller */
    uint64_t time_ns;
    uint16_t phase; /* of the schedule, see tan_schedule_mark */
};

enum { TAN_TRACE_COMPUTATION = 1 /* phase between calls */ };

struct tan_trace {
    uint32_t ranks;
    struct tan_trace_rank *rank; /* owned */
    struct tan_trace_call *call; /* owned; sorted by time, longest first */
    size_t n_calls;
    /* Doubts about predictions: calls that are not simulated, truncated files. */
    struct tan_doubts doubts;
    bool cut; /* a file has no MPI_Finalize */
};

struct tan_trace_options {
    const char *collectives;       /* set of algorithms: "usual" or "schedgen" */
    const char *const *algorithms; /* "bcast=pipelined-ring:8", overriding those of the set */
    size_t n_algorithms;
};

/* Effect of a call on its rank's schedule. */
enum trace_class {
    TRACE_LOCAL, /* none: its time counts as computation */
    TRACE_INIT,
    TRACE_FINALIZE,
    TRACE_SEND,
    TRACE_RECV,
    TRACE_SENDRECV,
    TRACE_PROBE,    /* waits for a message that another call receives */
    TRACE_COMPLETE, /* completes the requests that its line lists, which may be none */
    TRACE_START,    /* starts persistent requests */
    TRACE_CANCEL,   /* cancels requests, which may still complete with their messages */
    TRACE_FORGET,   /* frees a request */
    TRACE_BARRIER,  /* collective operations from here on */
    TRACE_BCAST,
    TRACE_REDUCE,
    TRACE_ALLREDUCE,
    TRACE_SCAN,
    TRACE_REDUCE_SCATTER_BLOCK,
    TRACE_REDUCE_SCATTER,
    TRACE_GATHER,
    TRACE_SCATTER,
    TRACE_ALLGATHER,
    TRACE_ALLTOALL,
    TRACE_GATHERV,
    TRACE_SCATTERV,
    TRACE_ALLGATHERV,
    TRACE_ALLTOALLV,
    TRACE_NEW_COMM, /* a communicator's ranks create a new one */
    TRACE_UNKNOWN,  /* moves data in a way that is not simulated */
    TRACE_COMM,     /* not a call: the ranks of a communicator */
    TRACE_POLLS,    /* unsuccessful tests */
};

static inline bool tan_trace_is_collective(enum trace_class kind)
{
    return kind >= TRACE_BARRIER && kind <= TRACE_NEW_COMM;
}

/* Positions of arguments in a line split at ':', where the name is 0 and the start time 1; 0:
 * absent. */
struct trace_arguments {
    uint8_t count, type, peer, tag; /* peer: or the root */
    uint8_t counts;                 /* a list of counts */
};

struct trace_call {
    const char *name;
    enum trace_class kind;
    struct trace_arguments data, received; /* received: if different */
    uint8_t comm;
    uint8_t request; /* or the first of an array */
    uint8_t n;       /* the number of requests */
    uint8_t end;     /* the end time, followed by additions of the tracer; 0
                        for TRACE_UNKNOWN: it depends on the line */
    bool immediate;  /* creates a request */
    bool persistent; /* which needs to be started */
    bool test;       /* does not wait */
};

/* A copy of the row of this call, whose name has `length` bytes. Nonblocking collective operations
 * have no rows: they get that of the blocking form, with a request. An unknown call is local, with
 * `name` borrowed. */
struct trace_call tan_trace_call_find(const char *name, size_t length);

enum { TRACE_NAMES = 256 };

/* Zero-initialised; names are numbered in order of appearance. */
struct trace_names {
    struct tan_trace_call count[TRACE_NAMES];
    struct trace_call row[TRACE_NAMES];
    uint8_t length[TRACE_NAMES]; /* of each name */
    uint32_t n;
    uint16_t slot[2 * TRACE_NAMES]; /* hash table of indices + 1 */
};

/* The index of a name, which is copied; UINT32_MAX with an error if it has 40 characters or more,
 * or if there are more than TRACE_NAMES. */
uint32_t tan_trace_names_find(struct trace_names *names, const char *name, size_t length,
                              struct tan_error *e);

#endif
