/* trace_comms.h - communicators of a trace: their ranks, and identity across ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_COMMS_H
#define TAN_SIM_CALLS_TRACE_COMMS_H

#include <stdint.h>

#include "base/error.h"
#include "base/map.h"

struct trace_comm {
    uint32_t *rank; /* ranks of the job, by rank in the communicator; owned */
    uint32_t size;
    uint32_t occurrence; /* number of earlier ones with the same ranks */
    uint32_t
        *member; /* the schedule's ranks for its collective operations; owned; NULL: none so far */
};

/* Zero-initialised. */
struct trace_comms {
    struct trace_comm *list; /* owned */
    uint32_t n;
    struct tan_map by_hash; /* indices into the list */
};

/* Each process numbers its communicators independently. Communicators of two processes are the same
 * if they have the same ranks and the same number of predecessors with these ranks, because MPI
 * requires members to create them in the same order. Returns the index of the communicator with
 * these ranks, of which the caller has seen `occurrence` before; -1 if memory is short. The ranks
 * are copied. */
int64_t tan_trace_comms_find(struct trace_comms *c, const uint32_t *rank, uint32_t size,
                             uint32_t occurrence, struct tan_error *e);
void tan_trace_comms_clear(struct trace_comms *c);

#endif
