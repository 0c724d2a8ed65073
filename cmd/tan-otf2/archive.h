/* archive.h - definitions of an OTF2 archive, and outcomes of requests and collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_OTF2_ARCHIVE_H
#define TAN_CMD_TAN_OTF2_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/calls/trace_calls.h"

#define UNUSED __attribute__((unused))
/* Arguments of the library's callbacks for records; `own` is the registered pointer. */
#define RECORD                                                                                     \
    UNUSED OTF2_LocationRef location, UNUSED OTF2_TimeStamp time, UNUSED uint64_t at, void *own,   \
        UNUSED OTF2_AttributeList *attributes

struct archive_group {
    uint64_t *member; /* owned */
    uint32_t n;
    OTF2_GroupType type;
    bool mpi, global;
};

struct archive_comm {
    uint32_t group;
    bool there, between; /* between: two groups */
    bool self;           /* one per process, as MPI_COMM_SELF */
    bool global;         /* ranks in events are those of the job */
    uint32_t *rank;      /* ranks of the job, by rank in the communicator; owned; NULL: unknown */
    uint32_t size;       /* at most the number of ranks of the job */
    /* For its operations with different sizes by rank, in order: what each rank contributed or
     * received, `size` values per operation; owned. */
    uint64_t *sizes;
    uint32_t room_sizes;
    uint32_t seen; /* number of these operations seen so far for the current rank */
};

enum outcome_kind { OUTCOME_NONE, OUTCOME_CANCELLED, OUTCOME_MESSAGE, OUTCOME_OPERATION };

/* Result of a receive's or collective operation's request, or of an operation with sizes by
 * rank. */
struct archive_outcome {
    enum outcome_kind kind;
    OTF2_CollectiveOp op;
    uint32_t comm, peer, tag; /* peer: or the root */
    uint32_t place;           /* index among the operations with sizes by rank */
    uint64_t sent, received;
};

struct archive_rank {
    OTF2_LocationRef location;
    struct archive_outcome *outcome; /* in the order in which they started; owned */
    size_t n_outcomes;
    bool began; /* MPI_Init was called */
};

struct archive {
    char *anchor; /* path of the anchor file; owned, like the lists */
    OTF2_Reader *reader;
    uint64_t resolution, offset; /* ticks per second; first tick */
    char **text;                 /* by reference, like those below */
    size_t n_texts;
    uint32_t *region; /* text of its name + 1; 0: not MPI's */
    size_t n_regions;
    struct trace_call *call; /* by region; without a name if it is no MPI call */
    struct archive_group *group;
    size_t n_groups;
    struct archive_comm *comm;
    size_t n_comms;
    struct archive_rank *rank;
    uint32_t ranks;
    struct tan_error *e; /* errors of callbacks; borrowed */
};

/* Open an archive, given its anchor file or the directory with it, and read all of it once. While
 * it is open, errors go to `e`. NULL if it cannot be read. */
struct archive *archive_open(const char *path, struct tan_error *e);
void archive_close(struct archive *a);

/* The communicator; NULL if its ranks are unknown. */
const struct archive_comm *archive_comm(const struct archive *a, uint32_t comm);
/* Nanoseconds since the start of the trace. */
int64_t archive_time(const struct archive *a, OTF2_TimeStamp ticks);
/* The MPI call of a region; NULL for other functions. */
const struct trace_call *archive_call(const struct archive *a, OTF2_RegionRef region);
/* Kind of a collective operation; TRACE_LOCAL if it moves no data. */
enum trace_class archive_kind_of(OTF2_CollectiveOp op);
/* Whether sizes differ between ranks. */
bool archive_has_sizes(OTF2_CollectiveOp op);
/* Pass the records of a rank in order to callbacks, which are deleted. */
int archive_read_rank(const struct archive *a, uint32_t rank, OTF2_EvtReaderCallbacks *calls,
                      void *own);

#endif
