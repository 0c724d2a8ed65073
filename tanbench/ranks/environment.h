/* environment.h - description of the machine and the job for results files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_ENVIRONMENT_H
#define TAN_TANBENCH_RANKS_ENVIRONMENT_H

#include <jansson.h>

#include "base/text.h"
#include "tanbench/ranks/world.h"
#include "tanbench/sampling/sampling.h"

/* Command line, MPI and its settings, hosts, ranks, their map and binding, processor, governor,
 * kernel, clock source, cost of reading the clock, version, date. A new reference; NULL if memory
 * is short. */
json_t *environment_describe(const struct world *world, const struct timer *timer, int argc,
                             char **argv);
/* Name and version of the MPI library, "Open MPI 4.1.4". Allowed before MPI_Init. */
struct tan_text environment_mpi(void);

#endif
