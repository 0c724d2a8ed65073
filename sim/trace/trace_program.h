/* trace_program.h - the calls of one rank as operations of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TRACE_TRACE_PROGRAM_H
#define SIM_TRACE_TRACE_PROGRAM_H

#include "base/error.h"
#include "sim/calls/trace.h"
#include "sim/calls/trace_comms.h"
#include "sim/calls/trace_event.h"
#include "sim/calls/trace_map.h"
#include "sim/calls/trace_names.h"
#include "sim/trace/trace_collectives.h"

/* What the ranks of a job share while they are read. */
struct trace_job {
    struct tan_schedule_builder *builder; /* borrowed, as are the two below */
    struct tan_trace *trace;
    struct trace_names *names;
    uint32_t first;  /* the schedule's rank of its rank 0 */
    uint32_t ranks;  /* that were traced */
    uint32_t copies; /* of them, one behind the other in the schedule */
    bool marks;      /* calls are phases of the schedule */
    struct trace_algorithms algorithms;
    struct trace_comms comms;       /* the first one has all ranks */
    struct tan_map tags;            /* from communicator and tag to the schedule's tag */
    struct tan_map cancelled;       /* requests: rank and number -> whether they end so */
    bool wild;                      /* a receive is from any source */
    bool surprised;                 /* a cancelled request is in the schedule already */
    const struct tan_p2p *messages; /* borrowed; NULL: not known */
};

void tan_trace_job_clear(struct trace_job *job);

struct trace_program;

/* Begin with the operations of the traced `rank` in a copy of the job, as the builder's current
 * rank; `path` is for error messages. Both are borrowed. */
struct trace_program *tan_trace_program_begin(struct trace_job *job, uint32_t rank, uint32_t copy,
                                              const char *path, struct tan_error *e);
/* Add what a call does. */
int tan_trace_program_add(struct trace_program *p, const struct trace_event *event,
                          struct tan_error *e);
/* Whether MPI_Init and MPI_Finalize were there. */
bool tan_trace_program_began(const struct trace_program *p);
bool tan_trace_program_ended(const struct trace_program *p);
/* The operation that all that follow wait for, directly or through others; TAN_OP_NONE: none. */
uint32_t tan_trace_program_anchor(const struct trace_program *p);
void tan_trace_program_end(struct trace_program *p);

#endif
