/* knomial.h - k-nomial and binomial trees over ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_KNOMIAL_H
#define TAN_DESIGN_TARGETS_KNOMIAL_H

#include "design/targets/target.h"

/* Rank v is below v without its lowest digit to base `radix` that is not 0: subtrees are ranges of
 * ranks. As tan_knob.split and parents. */
int tan_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

/* Rank v is below v without its highest digit: subtrees are strided. */
int tan_strided_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_strided_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

/* Ranks in preorder: the subtrees below the root have room for radix^(m-1) ranks, radix - 1 of
 * them, then for less, where radix^m is room enough for all; they are filled in order. */
int tan_preorder_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out);
void tan_preorder_knomial_parents(int64_t radix, int32_t n, int32_t *parents);

#endif
