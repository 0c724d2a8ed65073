/* table.c - list of targets
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/target.h"

/* TAN_TARGET_ROWS: ROW(name) for every row that the Makefile finds in this folder. */
#ifndef TAN_TARGET_ROWS /* read without the Makefile, for example by lint */
#define TAN_TARGET_ROWS
#endif

#define ROW(name) extern const struct tan_target tan_target_##name;
TAN_TARGET_ROWS
#undef ROW

#define ROW(name) &tan_target_##name,
const struct tan_target *const tan_targets[] = {TAN_TARGET_ROWS NULL};
#undef ROW
