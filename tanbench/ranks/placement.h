/* placement.h - cores shared by the ranks of the running job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_PLACEMENT_H
#define TAN_TANBENCH_RANKS_PLACEMENT_H

#include "tanbench/ranks/world.h"

/* Whether ranks `a` and `b` are on one host and run on the same cores. */
bool placement_share_cores(const struct world *world, int a, int b);
/* Rank 0's partner for single messages: on another host if there is one, otherwise on another core.
 * For at least two ranks. */
int placement_partner(const struct world *world);

#endif
