/* mpi_end.h - finalization of MPI that always returns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_MPI_END_H
#define TAN_TANBENCH_RANKS_MPI_END_H

#include "tanbench/ranks/world.h"

/* Collective over the world before it is destroyed: wait for all ranks, and for their last
 * messages, where MPI_Finalize might otherwise be slow or never return. */
void mpi_end_together(const struct world *world);

/* Collective, in place of MPI_Finalize, which may never return: after everything is written and
 * reported, since a rank that does not return in time exits here with `status`. */
void mpi_end(int status);

#endif
