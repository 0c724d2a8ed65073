/* oversubscription.h - whether ranks outnumber cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_OVERSUBSCRIPTION_H
#define TAN_TANBENCH_RANKS_OVERSUBSCRIPTION_H

#include "tanbench/ranks/world.h"

/* Set world->oversubscribed, usable_cores and sharing from the masks and hosts in world->peers. MPI
 * errors end the job. */
void world_count_cores(struct world *world);

#endif
