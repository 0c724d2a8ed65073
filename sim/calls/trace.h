/* trace.h - a traced program: its ranks and calls
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_H
#define TAN_SIM_CALLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"

struct tan_p2p;

/* One rank of the traced program; times in seconds, those in `_ns` in nanoseconds. */
struct tan_trace_rank {
    double started;  /* return from MPI_Init by the clock of rank 0, relative to the first rank */
    uint64_t run_ns; /* from MPI_Init to the last call */
    uint64_t in_mpi_ns; /* part of it in MPI */
    double polled; /* part of `run_ns` in and between unsuccessful tests, up to a successful one: a
                      wait in the schedule */
    double in_place; /* added in the schedule to messages that are received into buffers from which
                        data were sent before */
    double tracer;   /* additional time of the tracer, which other ranks may have waited for in MPI;
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
    const struct tan_p2p
        *messages; /* borrowed; costs of messages received in place; NULL: the same as others */
};

#endif
