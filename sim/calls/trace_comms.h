/* trace_comms.h - communicators of a trace: who is in them, and which ranks speak of the same one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_COMMS_H
#define SIM_CALLS_TRACE_COMMS_H

#include <stdint.h>

#include "base/error.h"
#include "base/map.h"

struct trace_comm {
    uint32_t *rank; /* of the job, by rank in the communicator; owned */
    uint32_t size;
    uint32_t occurrence; /* how many with the same ranks came before it */
    uint32_t *member;    /* the schedule's ranks of its collective operations; owned; NULL: there
                            was none so far */
};

struct trace_comms {
    struct trace_comm *list; /* owned */
    uint32_t n;
    struct tan_map by_hash; /* places in the list */
};

/* Each process numbers its communicators by itself. Those of two processes are the same one where
 * they have the same ranks and as many of these ranks came before: MPI wants members to make them
 * in the same order. The place of the one with these ranks, of which the caller has seen
 * `occurrence` before; -1: memory is short. The ranks are copied. */
int64_t tan_trace_comms_find(struct trace_comms *c, const uint32_t *rank, uint32_t size,
                             uint32_t occurrence, struct tan_error *e);
void tan_trace_comms_clear(struct trace_comms *c);

#endif
