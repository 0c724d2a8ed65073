/* tree_wave.h - schedules of waves over a tree: data up to the root, a request down, or both
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_SCHEDULE_TREE_WAVE_H
#define SIM_SCHEDULE_TREE_WAVE_H

#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "topo/tree.h"

TAN_BEGIN_DECLS

/* Directions of a wave, as bits. */
enum tan_sweep {
    TAN_SWEEP_UP = 1,   /* leaves send, inner nodes wait for all their children and send on */
    TAN_SWEEP_DOWN = 2, /* the root sends, every node forwards */
    TAN_SWEEP_ROUND = TAN_SWEEP_UP | TAN_SWEEP_DOWN, /* down, and from every leaf up again */
};
/* "up", "down" or "round"; else TAN_USAGE. */
int tan_sweep_parse(const char *text, enum tan_sweep *sweep, struct tan_error *e);
const char *tan_sweep_name(enum tan_sweep sweep);

/* Maximum number of waves of a schedule. */
#define TAN_WAVE_MAX_WAVES 1000000

/* `waves` waves that follow each other as fast as the tree takes them, in messages of `bytes`; rank
 * r is node r. No rank calculates. More operations than a schedule can have are TAN_USAGE.
 * O(waves * nodes); beside the schedule nothing grows with them. */
struct tan_schedule *tan_wave_schedule(const struct tan_tree *tree, enum tan_sweep sweep,
                                       uint32_t waves, uint64_t bytes, struct tan_error *e);

/* The same under TAN: ranks calculate the cost of a level beyond L (model/wave.h), and messages are
 * to cost only L (tan_wave_link). The method joint has a child spend a of it; with the method paper
 * the parent spends all. A leaf spends C. Everything is rounded to picoseconds so that, with a core
 * for every rank, one wave up or down ends at T = level(x) + max over children T_child, T_leaf = C,
 * with every level rounded once, to the last picosecond, and a round trip at twice that. A level of
 * more than 2^61 ps fails. */
struct tan_schedule *tan_wave_schedule_tan(const struct tan_tree *tree, enum tan_sweep sweep,
                                           uint32_t waves, uint64_t bytes,
                                           const struct tan_params *params, struct tan_error *e);

/* A link that costs L, to the picosecond, and nothing else. */
int tan_wave_link(const struct tan_params *params, struct tan_link *link, struct tan_error *e);

TAN_END_DECLS

#endif
