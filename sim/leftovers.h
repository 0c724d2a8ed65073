/* leftovers.h - what a simulation never came to
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_LEFTOVERS_H
#define TAN_SIM_LEFTOVERS_H

#include "sim/match.h"
#include "sim/simulate.h"

/* Fill out->unexpected, unmatched, blocked and unfinished from what the matcher still keeps when
 * nothing can happen any more; the matcher is of no use afterwards. Messages longer than
 * `eager_limit` leave their sends unfinished. O(operations + dependencies). */
int tan_leftovers(const struct tan_schedule *s, struct tan_match *match, uint64_t eager_limit,
                  struct tan_simulation *out, struct tan_error *e);

#endif
