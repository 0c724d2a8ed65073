/* send_mode.h - MPI's ways to send one message, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_SEND_MODE_H
#define TANBENCH_P2P_SEND_MODE_H

#include <mpi.h>
#include <stdbool.h>

typedef int p2p_send_call(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int p2p_isend_call(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

struct p2p_kind {
    const char *name;
    p2p_send_call *send;   /* either this, returning when the buffer may be used again, */
    p2p_isend_call *isend; /* or this, to be followed by a wait */
    bool ready;            /* erroneous unless the receive is posted before the send begins */
    bool buffered;         /* needs memory attached */
};
/* The first is the standard send; a row with name NULL ends the table. */
extern const struct p2p_kind p2p_kinds[];
enum { P2P_KINDS = 8 }; /* rows */

#endif
