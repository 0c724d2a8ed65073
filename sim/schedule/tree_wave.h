/* tree_wave.h - schedules of waves over a tree: data up, a request down, or both
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_TREE_WAVE_H
#define TAN_SIM_SCHEDULE_TREE_WAVE_H

#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "topo/tree.h"

/* Directions of a wave, as flags. */
enum tan_sweep {
    TAN_SWEEP_UP = 1,   /* leaves send; inner nodes wait for all children, then send */
    TAN_SWEEP_DOWN = 2, /* the root sends; every node forwards */
    TAN_SWEEP_ROUND = TAN_SWEEP_UP | TAN_SWEEP_DOWN, /* down, then up again from every leaf */
};
/* Parse "up", "down" or "round"; otherwise TAN_USAGE. */
int tan_sweep_parse(const char *text, enum tan_sweep *sweep, struct tan_error *e);
const char *tan_sweep_name(enum tan_sweep sweep);

/* A wave in messages of `bytes`; rank r is node r. More operations than a schedule can have are
 * TAN_USAGE. O(nodes). No rank calculates if `params` is NULL; else, under TAN, ranks calculate for
 * the cost of a level beyond L (model/wave.h), and messages must cost only L (tan_wave_link). With
 * method joint the child spends a of it; with method paper the parent spends all. A leaf spends C.
 * Rounding is such that one wave up or down takes exactly T = level(x) + max over children T_child,
 * T_leaf = C, with every level rounded to the picosecond, and a round trip twice that. Fails if a
 * level exceeds 2^61 ps. */
struct tan_schedule *tan_wave_schedule(const struct tan_tree *tree, enum tan_sweep sweep,
                                       uint64_t bytes, const struct tan_params *params,
                                       struct tan_error *e);

/* A link that costs L, rounded to the picosecond, and nothing else. */
int tan_wave_link(const struct tan_params *params, struct tan_link *link, struct tan_error *e);

#endif
