/* eager_limits.h - eager limits of the MPI library by its tool interface
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_EAGER_LIMITS_H
#define TANBENCH_P2P_EAGER_LIMITS_H

#include <jansson.h>

/* The control variables whose names contain an eager limit, by MPI's tool interface (MPI_T), with
 * their values in bytes. To be called once in a process: MPICH 4.0 cannot open that interface again
 * after it was closed. A new reference; NULL when memory is short. */
json_t *p2p_limits(void);

#endif
