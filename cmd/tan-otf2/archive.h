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
/* The first arguments of the library's callbacks for records; `own` is the registered pointer. */
#define RECORD                                                                                     \
    UNUSED OTF2_LocationRef location, UNUSED OTF2_TimeStamp time, UNUSED uint64_t at, void *own,   \
        UNUSED OTF2_AttributeList *attributes

struct archive_group {
    uint64_t *member; /* locations, or ranks of the job, by type; `n` entries; owned */
    uint32_t n;
    OTF2_GroupType type;
    bool mpi, global; /* of MPI; events name members by their ranks of the job */
};

struct archive_comm {
    uint32_t group;      /* index of the group */
    bool there, between; /* defined; an intercommunicator, between two groups */
    bool self;           /* one per process, as MPI_COMM_SELF */
    bool global;         /* ranks in events are those of the job */
    uint32_t *rank;      /* ranks of the job, by rank in the communicator; owned; NULL: unknown; of
                            `self` a single 0, which stands for each rank */
    uint32_t size;       /* at most the number of ranks of the job */
    /* What each rank contributed or received in each operation with different sizes by rank, in
     * order: `size` values per operation; owned. */
    uint64_t *sizes;
    uint32_t room_sizes; /* in operations */
    uint32_t seen;       /* number of these operations found so far in the current rank's records */
};

enum outcome_kind { OUTCOME_NONE, OUTCOME_CANCELLED, OUTCOME_MESSAGE, OUTCOME_OPERATION };

/* What OTF2 records only at the end: of a nonblocking receive or collective operation, or of an
 * operation with sizes by rank. */
struct archive_outcome {
    enum outcome_kind kind;
    OTF2_CollectiveOp op;
    uint32_t comm, peer, tag; /* peer: the sender or the root */
    uint32_t place;           /* index among the communicator's operations with sizes by rank */
    uint64_t sent, received;
};

struct archive_rank {
    OTF2_LocationRef location;
    struct archive_outcome *outcome; /* in the order in which they started; owned */
    size_t n_outcomes;
    bool began; /* MPI_Init was called */
};

struct archive {
    char *anchor; /* path of the anchor file; owned, as are the lists below */
    OTF2_Reader *reader;
    uint64_t resolution, offset; /* ticks per second; first tick */
    char **text;                 /* by reference, as are region, call, group and comm */
    size_t n_texts;
    uint32_t *region; /* text of its name + 1; 0: not MPI's */
    size_t n_regions;
    struct trace_call *call; /* of each region; without a name if it is no MPI call */
    struct archive_group *group;
    size_t n_groups;
    struct archive_comm *comm;
    size_t n_comms;
    struct archive_rank *rank;
    uint32_t ranks;
    struct tan_error *e; /* errors of callbacks; borrowed */
};

/* Open an archive, given its anchor file or the folder with it, and read all of it once. NULL on
 * failure. Errors of later calls go to `e`, too, which must outlive the archive. */
struct archive *archive_open(const char *path, struct tan_error *e);
void archive_close(struct archive *a);

/* The communicator; NULL if its ranks are unknown. */
const struct archive_comm *archive_comm(const struct archive *a, uint32_t comm);
/* Nanoseconds since the start of the trace. */
int64_t archive_time(const struct archive *a, OTF2_TimeStamp ticks);
/* The MPI call of a region; NULL for other functions. */
const struct trace_call *archive_call(const struct archive *a, OTF2_RegionRef region);
/* Kind of a collective operation; TRACE_LOCAL if it moves no data, TRACE_UNKNOWN if it is not
 * simulated. */
enum trace_class archive_kind_of(OTF2_CollectiveOp op);
/* Whether its sizes may differ between ranks; not of operations that are not simulated. */
bool archive_has_sizes(OTF2_CollectiveOp op);
/* Read the records of a rank in order by the callbacks `calls`, which get `own` and are deleted. */
int archive_read_rank(const struct archive *a, uint32_t rank, OTF2_EvtReaderCallbacks *calls,
                      void *own);

#endif
