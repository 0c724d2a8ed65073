/* radix_tree.h - the tree of PRRTE's and ORTE's daemons
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels are filled in order, and the daemons of a level are dealt round-robin to those of the
 * level above: with radix 2 daemons 3 and 5 are children of 1, 4 and 6 of 2. */
#ifndef TAN_DESIGN_TARGETS_RADIX_TREE_H
#define TAN_DESIGN_TARGETS_RADIX_TREE_H

#include "design/targets/target.h"

/* The largest radix whose square is below 2^31: beyond it the daemons' 32-bit arithmetic overflows
 * even in flat trees. */
enum { TAN_RADIX_MOST = 46340 };

/* As `split` and `parents` in struct tan_knob. */
int tan_radix_tree_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_radix_tree_parents(int64_t radix, int32_t n, int32_t *parents);

/* Whether the numbers computed by daemons for their children exceed 2^31 - 1. Daemons then crash or
 * never find their places. (The newest PRRTE has one bit more.) */
bool tan_radix_tree_overflows(int64_t radix, int64_t members);
/* Fail if they do. */
int tan_radix_tree_check(const char *setting, int64_t radix, int64_t members, struct tan_error *e);

#endif
