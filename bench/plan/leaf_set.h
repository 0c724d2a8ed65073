/* leaf_set.h - the leaves that a result includes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_LEAF_SET_H
#define TAN_BENCH_PLAN_LEAF_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Consecutive leaves by number, both ends included. Sent as it is. */
struct leaf_range {
    uint32_t first, last;
};

/* Rising ranges that neither overlap nor touch, so few if the leaves missing are few. Zero: empty;
 * `list` is owned. */
struct leaf_set {
    struct leaf_range *list;
    size_t n, room;
};

/* Add leaves none of which is a member. -1 with an error if one is, so that no leaf is ever counted
 * twice, or if memory is short. O(n). */
int tan_leaf_set_add(struct leaf_set *set, struct leaf_range range, struct tan_error *e);
/* All `n` ranges. */
int tan_leaf_set_add_all(struct leaf_set *set, const struct leaf_range *ranges, size_t n,
                         struct tan_error *e);
/* Make it empty, and keep the memory. */
void tan_leaf_set_reset(struct leaf_set *set);
void tan_leaf_set_clear(struct leaf_set *set);

bool tan_leaf_set_has(const struct leaf_set *set, uint32_t leaf);
uint64_t tan_leaf_set_count(const struct leaf_set *set);
/* Sum of the leaves' numbers. */
uint64_t tan_leaf_set_sum(const struct leaf_set *set);
bool tan_leaf_set_equal(const struct leaf_set *a, const struct leaf_set *b);

/* What leaf `leaf` adds to the check of wave `wave`: 64 bits that look random, so another set of
 * leaves has the same sum, modulo 2^64, by chance only. */
uint64_t tan_leaf_check(uint32_t leaf, uint32_t wave);
/* The check that the set must have. */
uint64_t tan_leaf_set_check(const struct leaf_set *set, uint32_t wave);

/* "0-3,7", or "none", cut off with "..." at `size`. Returns `buffer`. */
const char *tan_leaf_set_format(const struct leaf_set *set, char *buffer, size_t size);

#endif
