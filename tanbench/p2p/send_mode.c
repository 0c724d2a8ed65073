/* send_mode.c - MPI's ways to send one message, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/send_mode.h"

#include <stddef.h>

const struct p2p_kind p2p_kinds[P2P_KINDS + 1] = {
    {.name = "Send", .send = MPI_Send},
    {.name = "Ssend", .send = MPI_Ssend},
    {.name = "Rsend", .send = MPI_Rsend, .ready = true},
    {.name = "Bsend", .send = MPI_Bsend, .buffered = true},
    {.name = "Isend", .isend = MPI_Isend},
    {.name = "Issend", .isend = MPI_Issend},
    {.name = "Irsend", .isend = MPI_Irsend, .ready = true},
    {.name = "Ibsend", .isend = MPI_Ibsend, .buffered = true},
    {.name = NULL},
};
