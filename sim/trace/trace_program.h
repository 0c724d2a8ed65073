/* trace_program.h - calls of one rank as operations of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_PROGRAM_H
#define TAN_SIM_TRACE_TRACE_PROGRAM_H

#include "base/error.h"
#include "sim/calls/trace.h"
#include "sim/calls/trace_calls.h"
#include "sim/calls/trace_comms.h"
#include "sim/calls/trace_text.h"
#include "sim/trace/trace_collectives.h"

/* State shared by the ranks of a job during reading. */
struct trace_job {
    struct tan_schedule_builder *builder; /* borrowed, like the next two */
    struct tan_trace *trace;
    struct trace_names *names;
    uint32_t ranks;  /* number of traced ranks */
    uint32_t copies; /* number of copies, one after the other in the schedule */
    struct trace_algorithms algorithms;
    struct trace_comms comms;       /* the first one has all ranks */
    struct tan_map tags;            /* communicator and tag -> the schedule's tag */
    struct tan_map cancelled;       /* rank and number of a request -> whether it was cancelled */
    bool surprised;                 /* the schedule has a request that was cancelled later */
    const struct tan_p2p *messages; /* borrowed; NULL: unknown */
};

/* Free its communicators and maps. */
void tan_trace_job_clear(struct trace_job *job);

struct trace_program;

/* Start the operations of the traced `rank` in a copy of the job, as the builder's current rank;
 * `path` is for error messages. `job` and `path` are borrowed. NULL if memory is short. */
struct trace_program *tan_trace_program_begin(struct trace_job *job, uint32_t rank, uint32_t copy,
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
