/* trace.h - a traced program: its ranks and calls
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_CALLS_TRACE_H
#define SIM_CALLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"

TAN_BEGIN_DECLS

struct tan_p2p;

/* One rank of the traced program; times in seconds. */
struct tan_trace_rank {
    double started;  /* when MPI_Init had returned, by the clock of rank 0, after the first rank */
    double run;      /* from MPI_Init to the last call */
    double in_mpi;   /* of it in MPI */
    double polled;   /* of it in tests that found nothing, and between them, up to one that found
                        something: a wait in the schedule */
    double in_place; /* added in the schedule to messages that it receives where it has sent one
                        from */
    double tracer;   /* beside it, of the tracer, for which other ranks may have waited in MPI; 0:
                        unknown */
    uint64_t calls;
};

/* Calls of one name, of all ranks. */
struct tan_trace_call {
    char name[40];
    uint64_t calls, bytes; /* bytes: sent or received by the caller; of reductions, of its vector */
    double seconds;
    uint16_t phase; /* of the schedule, see tan_schedule_mark; of several programs there are none */
};

enum { TAN_TRACE_COMPUTATION = 1 /* the phase between calls */ };

struct tan_trace {
    const char *dir; /* where it was read from; borrowed */
    uint32_t first;  /* the schedule's rank of its rank 0 */
    uint32_t ranks;  /* that were traced; in the schedule they are those of the first copy */
    uint32_t copies;
    struct tan_trace_rank *rank; /* owned */
    struct tan_trace_call *call; /* owned; the longest first */
    size_t n_calls;
    /* What makes a prediction doubtful: calls that are not simulated, files that are cut off. */
    struct tan_doubts doubts;
    bool cut;      /* a file has no MPI_Finalize */
    double read_s; /* that a simulation waited for the reading beside it */
};

struct tan_trace_options {
    const char *collectives;       /* the set of algorithms: "usual" or "schedgen" */
    const char *const *algorithms; /* "bcast=pipelined-ring:8", which replace those of the set */
    size_t n_algorithms;
    uint32_t copies;                /* that make a larger job; 0: one */
    const struct tan_p2p *messages; /* borrowed; what they cost that are received in place; NULL:
                                       no more than others */
};

void tan_trace_clear(struct tan_trace *trace);

TAN_END_DECLS

#endif
