/* placement.h - cores that the ranks of the running job share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_PLACEMENT_H
#define TANBENCH_RANKS_PLACEMENT_H

#include "sim/host/host_wave.h"
#include "tanbench/ranks/world.h"

/* Rank i is node i of every tree. Ranks of a host with the same processing units form a pool. On
 * rank 0, once all ranks are bound; `world` is a struct world. One malloc'd block, which the caller
 * frees; NULL: no memory. */
struct tan_placement *placement_create(const void *world, int ranks, struct tan_error *e);

/* These ranks are bound to the same cores of one host. */
bool placement_share_cores(const struct world *world, int a, int b);
/* The partner of rank 0 for single messages: on another host if there is one, else on another core.
 * For two ranks or more. */
int placement_partner(const struct world *world);

#endif
