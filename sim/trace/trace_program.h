/* trace_program.h - calls of one rank as operations of a schedule, collective ones as messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_PROGRAM_H
#define TAN_SIM_TRACE_TRACE_PROGRAM_H

#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/patterns.h"
#include "sim/trace/trace_calls.h"
#include "sim/trace/trace_comms.h"
#include "sim/trace/trace_text.h"

/* The algorithm for a collective operation, up to some size. */
struct trace_algorithm {
    const char *collective; /* "bcast" */
    enum trace_class kind;
    uint64_t up_to; /* bytes; UINT64_MAX: no limit */
    const struct tan_pattern *pattern;
    uint32_t k; /* parameter of the pattern, as in tan_pattern_request */
};

enum { TRACE_ALGORITHMS = 16 };
struct trace_algorithms {
    struct trace_algorithm row[TRACE_ALGORITHMS];
    int n;
    /* Like Schedgen: all ranks start simultaneously, calls are separated by calculations, even
     * empty ones (which wait for the CPU, too), tests are part of these, nonblocking collective
     * operations block, a root is swapped with rank 0, and receives from any source remain so. */
    bool schedgen;
};

/* Find the set given by --collectives: "usual" (binomial trees, dissemination, recursive doubling
 * up to 10 KiB and rings above) or "schedgen" (what Schedgen makes of a trace). -1 with a usage
 * error for other names. */
int tan_trace_algorithms_named(const char *name, struct trace_algorithms *out, struct tan_error *e);
/* "bcast=pipelined-ring:8": use this pattern for all sizes. -1 with a usage error if it is not an
 * algorithm of the collective operation. */
int tan_trace_algorithms_set(struct trace_algorithms *a, const char *text, struct tan_error *e);
void tan_trace_algorithms_help(FILE *to);

/* A rank's part in an operation. */
struct trace_collective {
    enum trace_class kind;
    const uint32_t *member; /* `size` ranks of the job, by rank in the communicator */
    uint32_t size, rank;    /* of the communicator */
    uint32_t root;
    uint64_t bytes;      /* of each message, or of each rank's block */
    const uint64_t *out; /* `size` entries: bytes sent to each rank; NULL: `bytes` */
    const uint64_t *in;  /* `size` entries: bytes received from each rank; NULL: `bytes` */
    uint32_t tag;
};

/* Add its messages to the builder's current rank, which has `first` operations, followed by an
 * empty calculation that does not depend on anything yet. Returns the new number of operations; an
 * error is only in `e`. O(messages + ranks of the communicator). */
uint32_t tan_trace_collective_make(const struct trace_algorithms *a,
                                   const struct trace_collective *q, struct tan_schedule_builder *b,
                                   uint32_t first, struct tan_error *e);

/* State shared by the ranks of a job during reading. */
struct trace_job {
    struct tan_schedule_builder *builder; /* borrowed, like the next two */
    struct tan_trace *trace;
    struct trace_names *names;
    uint32_t ranks;
    struct trace_algorithms algorithms;
    struct trace_comms comms; /* the first one has all ranks */
    struct tan_map tags;      /* communicator and tag -> the schedule's tag */
    struct tan_map cancelled; /* rank and number of a request -> whether it was cancelled */
    bool surprised;           /* the schedule has a request that was cancelled later */
};

/* Free its communicators and maps. */
void tan_trace_job_clear(struct trace_job *job);

struct trace_program;

/* Start the operations of `rank`, as the builder's current rank;
 * `path` is for error messages. `job` and `path` are borrowed. NULL if memory is short. */
struct trace_program *tan_trace_program_begin(struct trace_job *job, uint32_t rank,
                                              const char *path, struct tan_error *e);
/* Add the operations of a call; -1 with an error that names file and line. */
int tan_trace_program_add(struct trace_program *p, const struct trace_event *event,
                          struct tan_error *e);
/* Whether MPI_Init and MPI_Finalize were called. */
bool tan_trace_program_began(const struct trace_program *p);
bool tan_trace_program_ended(const struct trace_program *p);
/* Free it; NULL is allowed. */
void tan_trace_program_end(struct trace_program *p);

#endif
