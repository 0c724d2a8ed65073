/* archive.h - what the ranks of an OTF2 archive share: definitions, and what is known of a request
 * or a collective operation only later, or from other ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_OTF2_ARCHIVE_H
#define CMD_TAN_OTF2_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/calls/trace_calls.h"

#define UNUSED __attribute__((unused))
/* What the library hands to every callback for a record; `own` is what was registered. */
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
    bool self;           /* each process has one of its own */
    bool global;         /* ranks in events are those of the job */
    uint32_t *rank;      /* of the job, by rank in the communicator; owned; NULL: not known */
    uint32_t size;       /* at most the ranks of the job */
    /* Of its operations with other sizes for each rank, in their order: what each rank handed over,
     * or got, `size` of them for an operation; owned. */
    uint64_t *sizes;
    uint32_t room_sizes;
    uint32_t seen; /* of these operations, of the rank that is read */
};

enum outcome_kind { OUTCOME_NONE, OUTCOME_CANCELLED, OUTCOME_MESSAGE, OUTCOME_OPERATION };

/* What became of a receive's request, of the request of a collective operation, or of an operation
 * with sizes for each rank. */
struct archive_outcome {
    enum outcome_kind kind;
    OTF2_CollectiveOp op;
    uint32_t comm, peer, tag; /* peer: also the root */
    uint32_t place;           /* of an operation with sizes for each rank, among these */
    uint64_t sent, received;
};

struct archive_rank {
    OTF2_LocationRef location;
    struct archive_outcome *outcome; /* in the order in which they began; owned */
    size_t n_outcomes;
    bool began; /* there is an MPI_Init */
};

struct archive {
    char *anchor; /* its path; owned, as are the lists */
    OTF2_Reader *reader;
    uint64_t resolution, offset; /* ticks per second; the first one */
    char **text;                 /* by reference, as are those below */
    size_t n_texts;
    uint32_t *region; /* the text of its name + 1; 0: it is not MPI's */
    size_t n_regions;
    struct trace_call *call; /* by region; one without a name is no call of MPI */
    struct archive_group *group;
    size_t n_groups;
    struct archive_comm *comm;
    size_t n_comms;
    struct archive_rank *rank;
    uint32_t ranks;
    struct tan_error *e; /* where callbacks put their errors; borrowed */
};

/* Open an archive, its anchor file or the folder with it, and read all of it once. Errors go to `e`
 * as long as it is open. NULL: it cannot be read. */
struct archive *archive_open(const char *path, struct tan_error *e);
void archive_close(struct archive *a);

/* The communicator; NULL: it is none whose ranks are known. */
const struct archive_comm *archive_comm(const struct archive *a, uint32_t comm);
/* Nanoseconds since the trace began. */
int64_t archive_time(const struct archive *a, OTF2_TimeStamp ticks);
/* The call that a region is; NULL: it is another function. */
const struct trace_call *archive_call(const struct archive *a, OTF2_RegionRef region);
/* Of which kind a collective operation is; TRACE_LOCAL: it moves nothing. */
enum trace_class archive_kind_of(OTF2_CollectiveOp op);
/* Whether sizes differ from rank to rank. */
bool archive_has_sizes(OTF2_CollectiveOp op);
/* Give the records of a rank to callbacks, which are deleted, in their order. */
int archive_read_rank(const struct archive *a, uint32_t rank, OTF2_EvtReaderCallbacks *calls,
                      void *own);

#endif
