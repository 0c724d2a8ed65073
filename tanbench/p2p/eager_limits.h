/* eager_limits.h - eager limits from the MPI library's tool interface
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_EAGER_LIMITS_H
#define TAN_TANBENCH_P2P_EAGER_LIMITS_H

#include <jansson.h>

/* Control variables with "eager limit" in their names, in bytes, from MPI's tool interface (MPI_T).
 * Call once per process: MPICH 4.0 cannot reopen that interface. A new reference; NULL when memory
 * is short. */
json_t *p2p_limits(void);

#endif
