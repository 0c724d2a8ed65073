/* comms.h - communicators of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every communicator gets a number and a line "# comm NUMBER = RANK..." with its ranks in
 * MPI_COMM_WORLD. An intercommunicator lists the ranks of both groups, in the same order on all of
 * them, and ranks in its messages are indices into that list. */
#ifndef TAN_SIM_TRACER_COMMS_H
#define TAN_SIM_TRACER_COMMS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Handles are pointers in Open MPI and integers in MPICH. */
#define KEY(handle) ((uintptr_t)(handle))
/* Labels are kept by keys, each in the place of its hash. */
enum { LABELS = 64, LABEL_SHIFT = 58 };
#define LABEL_OF(key) ((key)*UINT64_C(0x9e3779b97f4a7c15) >> LABEL_SHIFT)

/* How lines refer to a communicator. */
struct comm_label {
    uintptr_t key;
    int rank, peers; /* own rank; number of ranks involved in its collective operations */
    int shift;       /* to be added to ranks in calls, giving indices into the list */
    bool known;      /* this entry is in use */
    bool groups;     /* an intercommunicator */
    bool outside;    /* has ranks outside MPI_COMM_WORLD */
    unsigned char length;
    char text[63]; /* ":NUMBER,RANK,SIZE" */
};

/* Number a new communicator and write its line. */
void comms_add(MPI_Comm comm);
/* The same for one that cannot be queried yet; `whose` has the same ranks. */
void comms_add_later(MPI_Comm comm, MPI_Comm whose);
/* Forget one that has been freed. */
void comms_remove(MPI_Comm comm);
/* Its label, valid until the next call of a function here. */
const struct comm_label *comms_label(MPI_Comm comm);
/* A rank as written to lines: an index into the list, -1 for any source, -2 for MPI_PROC_NULL. */
int comms_peer(int rank, MPI_Comm comm);
/* Whether this process is the root of a collective operation, by its argument `root`. */
bool comms_is_root(int root, MPI_Comm comm);

#endif
