/* comms.h - communicators of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A communicator gets a number, and a line "# comm NUMBER = RANK..." with its ranks of
 * MPI_COMM_WORLD. One between two groups has the ranks of both, on all of them in the same order,
 * and the ranks of its messages are places in that list. */
#ifndef TRACER_COMMS_H
#define TRACER_COMMS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle is a pointer in Open MPI and a number in MPICH. */
#define KEY(handle) ((uintptr_t)(handle))

/* What lines say of it. */
struct comm_label {
    uintptr_t key;
    int rank, peers; /* own rank; number of those that its collective operations reach */
    int shift;       /* from ranks in its calls to places in the list */
    bool known;      /* this is no empty place */
    bool groups;     /* it is between two groups */
    bool outside;    /* somebody in it is not in MPI_COMM_WORLD */
    unsigned char length;
    char text[63]; /* ":NUMBER,RANK,SIZE" */
};

/* With a line; `whose` has its ranks, where it cannot be asked yet. */
void comms_add(MPI_Comm comm);
void comms_add_later(MPI_Comm comm, MPI_Comm whose);
void comms_remove(MPI_Comm comm);
/* Good until the next call here. */
const struct comm_label *comms_label(MPI_Comm comm);
/* A rank as lines have it: a place in the list, -1 for any source, -2 for MPI_PROC_NULL. */
int comms_peer(int rank, MPI_Comm comm);
bool comms_is_root(int root, MPI_Comm comm);

#endif
