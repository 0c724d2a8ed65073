/* knomial.h - k-ary, k-nomial, binomial and radix trees over ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_KNOMIAL_H
#define TAN_DESIGN_SYSTEMS_KNOMIAL_H

#include "design/systems/target.h"

/* Arguments of all: as of `split` and `parents` in struct tan_knob. */

/* The parent of rank v is (v - 1) / arity, rounded down: levels are filled from the left. An arity
 * of 0 is a flat tree. */
int tan_kary_split(int64_t arity, int64_t size, int depth, struct tan_branch *out);
void tan_kary_parents(int64_t arity, int32_t n, int32_t *parents);

/* The parent of rank v is v without its lowest nonzero base-`radix` digit, so subtrees are ranges
 * of ranks. Children by rising rank. */
int tan_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
/* The same tree with children by falling rank: MPICH's and UCC's. */
int tan_knomial_split_falling(int64_t radix, int64_t size, int depth, struct tan_branch *out);
/* The same with children by falling digit place, and by rising rank within a place: Open MPI's. */
int tan_knomial_split_by_place(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

/* The parent of rank v is v without its highest digit, so subtrees are strided. */
int tan_strided_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_strided_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

/* Ranks in preorder: below the root, radix - 1 subtrees of capacity radix^(m-1), then of lower
 * capacities, where radix^m holds all ranks; they are filled in order. */
int tan_preorder_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_preorder_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

/* PRRTE's and ORTE's radix tree: levels are filled in order, and the daemons of a level are dealt
 * round-robin to those of the level above: with radix 2 daemons 3 and 5 are children of 1, 4 and 6
 * of 2. */

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
