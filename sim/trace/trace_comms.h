/* trace_comms.h - communicators of a trace: their ranks, and identity across ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_COMMS_H
#define TAN_SIM_TRACE_TRACE_COMMS_H

#include <stdint.h>

#include "base/error.h"
#include "base/map.h"

/* A tan_map for traces: values are 32-bit numbers, and errors are set if memory is short. Setting
 * the key UINT64_MAX has no effect: it is request -1, that of a call that completed immediately. */

#define TRACE_MAP_NONE UINT32_MAX

/* TRACE_MAP_NONE if it is not present. */
static inline uint32_t tan_trace_map_find(const struct tan_map *m, uint64_t key)
{
    const int64_t found = tan_map_find(m, key);
    return found < 0 ? TRACE_MAP_NONE : (uint32_t)found;
}

/* Set or replace the value of `key`, which must not be TRACE_MAP_NONE. */
static inline int tan_trace_map_set(struct tan_map *m, uint64_t key, uint32_t value,
                                    struct tan_error *e)
{
    return key == UINT64_MAX || tan_map_set(m, key, value) == 0 ? 0 : tan_fail_nomem(e);
}

struct trace_comm {
    uint32_t *rank; /* ranks of the job, by rank in the communicator; owned */
    uint32_t size;
    uint32_t occurrence; /* number of earlier ones with the same ranks */
};

/* Zero-initialised. */
struct trace_comms {
    struct trace_comm *list; /* owned */
    uint32_t n;
    struct tan_map by_hash; /* indices into the list */
};

/* The communicators of one process, by numbers of its own. Zero-initialised. */
struct trace_comm_numbers {
    struct tan_map place; /* number -> index into the list */
    struct tan_map seen;  /* index of the first one with the same ranks -> how many there were */
};

/* Put a communicator of ranks 0 to ranks - 1 first in an empty list. -1 if memory is short. */
int tan_trace_comms_world(struct trace_comms *c, uint32_t ranks, struct tan_error *e);
/* Set the place of a process's next communicator, to which it gave `number`. Communicators of two
 * processes are the same if they have the same ranks and the same number of predecessors with these
 * ranks, because MPI requires members to create them in the same order. The ranks are copied. -1 if
 * memory is short. */
int tan_trace_comms_add(struct trace_comms *c, struct trace_comm_numbers *own, int64_t number,
                        const uint32_t *rank, uint32_t size, struct tan_error *e);
void tan_trace_comm_numbers_clear(struct trace_comm_numbers *own);
void tan_trace_comms_clear(struct trace_comms *c);

#endif
