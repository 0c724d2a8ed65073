/* placement.h - cores that the ranks of the running job share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_PLACEMENT_H
#define TANBENCH_RANKS_PLACEMENT_H

#include "tanbench/ranks/world.h"

/* These ranks are bound to the same cores of one host. */
bool placement_share_cores(const struct world *world, int a, int b);
/* The partner of rank 0 for single messages: on another host if there is one, else on another core.
 * For two ranks or more. */
int placement_partner(const struct world *world);

#endif
