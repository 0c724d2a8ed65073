/* leftovers.h - operations and messages left at the end of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_LEFTOVERS_H
#define TAN_SIM_ENGINE_LEFTOVERS_H

#include "sim/engine/match.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Fill out->unexpected, unmatched, blocked and unfinished from the matcher's contents at the end of
 * the simulation; afterwards the matcher can only be destroyed. Messages longer than `eager_limit`
 * leave their sends unfinished. O(operations + dependencies). */
int tan_leftovers(const struct tan_schedule *s, struct tan_match *match, uint64_t eager_limit,
                  struct tan_simulation *out, struct tan_error *e);

#endif
