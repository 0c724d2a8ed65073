/* placement.h - which ranks share which cores, as read from the running job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_PLACEMENT_H
#define TANBENCH_PLACEMENT_H

#include "sim/host_wave.h"
#include "tanbench/world.h"

/* Rank i is node i of every tree. Ranks of a host with the same processing units form a pool. On
 * rank 0, once all have bound themselves. Free with placement_destroy. */
struct tan_placement *placement_create(const struct world *world, int ranks, struct tan_error *e);
void placement_destroy(struct tan_placement *placement);

#endif
