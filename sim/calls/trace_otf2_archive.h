/* trace_otf2_archive.h - what the ranks of an OTF2 archive share: definitions, and what is known of
 * a request or a collective operation only later, or from other ranks SPDX-License-Identifier:
 * GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_OTF2_ARCHIVE_H
#define SIM_CALLS_TRACE_OTF2_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/calls/trace_calls.h"

struct trace_otf2_group {
    uint64_t *member; /* owned */
    uint32_t n;
    OTF2_GroupType type;
    bool mpi, global;
};

struct trace_otf2_comm {
    uint32_t group;
    bool there, between; /* between: two groups */
    bool self;           /* each process has one of its own */
    bool global;         /* ranks in events are those of the job */
    uint32_t *rank;      /* of the job, by rank in the communicator; owned; NULL: not known */
    uint32_t size;
    /* Of its operations with other sizes for each rank, in their order: what each rank handed over,
     * or got, n_sizes times `size` of them; owned. */
    uint64_t *sizes;
    uint32_t n_sizes, room_sizes;
    uint32_t seen; /* of these operations, of the rank that is read */
};

enum trace_otf2_outcome_kind { OTF2_UNFINISHED, OTF2_CANCELLED, OTF2_MESSAGE, OTF2_OPERATION };

/* What became of a receive's request, of the request of a collective operation, or of an operation
 * with sizes for each rank. */
struct trace_otf2_outcome {
    enum trace_otf2_outcome_kind kind;
    OTF2_CollectiveOp op;
    uint32_t comm, peer, tag; /* peer: also the root */
    uint32_t place;           /* of an operation with sizes for each rank, among these */
    uint64_t sent, received;
};

struct trace_otf2_rank {
    OTF2_LocationRef location;
    char *path;                         /* for error messages; owned */
    struct trace_otf2_outcome *outcome; /* in the order in which they began; owned */
    size_t n_outcomes;
    bool began; /* there is an MPI_Init */
};

struct trace_otf2_archive {
    OTF2_Reader *reader;
    uint64_t resolution, offset; /* ticks per second; the first one */
    char **text;                 /* by reference; owned, as are the others */
    size_t n_texts;
    uint32_t *region; /* the text of its name + 1; 0: it is not MPI's */
    size_t n_regions;
    struct trace_otf2_group *group;
    size_t n_groups;
    struct trace_otf2_comm *comm;
    size_t n_comms;
    struct trace_otf2_rank *rank;
    uint32_t ranks;
    struct tan_error *e; /* where callbacks put their errors while something is read */
};

/* Open the archive and read all of it once. NULL: it cannot be read. */
struct trace_otf2_archive *tan_trace_otf2_archive_open(const char *anchor, struct tan_error *e);
void tan_trace_otf2_archive_close(struct trace_otf2_archive *a);

/* The communicator; NULL: it is none whose ranks are known. */
const struct trace_otf2_comm *tan_trace_otf2_comm_of(const struct trace_otf2_archive *a,
                                                     uint32_t comm);
/* Nanoseconds since the trace began. */
int64_t tan_trace_otf2_time(const struct trace_otf2_archive *a, OTF2_TimeStamp ticks);
/* The name of an MPI call, NULL: the region is another function. */
const char *tan_trace_otf2_call_of(const struct trace_otf2_archive *a, OTF2_RegionRef region);
/* Of which kind a collective operation is; TRACE_LOCAL: it moves nothing. */
enum trace_class tan_trace_otf2_kind_of(OTF2_CollectiveOp op);
/* Read some events of a location, or up to that where a callback interrupts. 1: there may be more;
 * 0: they end here; -1: they cannot be read. */
int tan_trace_otf2_read(struct trace_otf2_archive *a, OTF2_EvtReader *events, const char *path,
                        struct tan_error *e);

#endif
