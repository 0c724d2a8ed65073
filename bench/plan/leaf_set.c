/* leaf_set.c - the leaves that a result includes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/leaf_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The first range that ends at `leaf` or behind it. */
static size_t range_at(const struct leaf_set *set, uint32_t leaf)
{
    size_t low = 0;
    size_t high = set->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->list[middle].last < leaf) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int tan_leaf_set_add(struct leaf_set *set, struct leaf_range range, struct tan_error *e)
{
    const size_t at = range_at(set, range.first);
    struct leaf_range *next;
    if (at < set->n && set->list[at].first <= range.last) {
        return tan_fail(e, "a result counts leaf %" PRIu32 " twice",
                        set->list[at].first > range.first ? set->list[at].first : range.first);
    }
    const bool joins_before = at > 0 && set->list[at - 1].last + 1 == range.first;
    const bool joins_behind = at < set->n && range.last + 1 == set->list[at].first;
    if (!joins_before && !joins_behind && TAN_RESERVE(set->list, set->room, set->n + 1) < 0) {
        return tan_fail_nomem(e);
    }
    next = set->list + at;
    if (joins_before && joins_behind) {
        next[-1].last = next->last;
        memmove(next, next + 1, (--set->n - at) * sizeof *next);
    } else if (joins_before) {
        next[-1].last = range.last;
    } else if (joins_behind) {
        next->first = range.first;
    } else {
        memmove(next + 1, next, (set->n++ - at) * sizeof *next);
        *next = range;
    }
    return 0;
}

int tan_leaf_set_add_all(struct leaf_set *set, const struct leaf_range *ranges, size_t n,
                         struct tan_error *e)
{
    for (size_t i = 0; i < n; i++) {
        if (tan_leaf_set_add(set, ranges[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

void tan_leaf_set_reset(struct leaf_set *set)
{
    set->n = 0;
}

void tan_leaf_set_clear(struct leaf_set *set)
{
    free(set->list);
    *set = (struct leaf_set){.n = 0};
}

bool tan_leaf_set_has(const struct leaf_set *set, uint32_t leaf)
{
    const size_t at = range_at(set, leaf);
    return at < set->n && set->list[at].first <= leaf;
}

uint64_t tan_leaf_set_count(const struct leaf_set *set)
{
    uint64_t count = 0;
    for (size_t i = 0; i < set->n; i++) {
        count += (uint64_t)set->list[i].last - set->list[i].first + 1;
    }
    return count;
}

uint64_t tan_leaf_set_sum(const struct leaf_set *set)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->n; i++) {
        const uint64_t first = set->list[i].first;
        const uint64_t last = set->list[i].last;
        sum += (first + last) * (last - first + 1) / 2;
    }
    return sum;
}

bool tan_leaf_set_equal(const struct leaf_set *a, const struct leaf_set *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->list, b->list, a->n * sizeof *a->list) == 0);
}

/* The finalizer of SplitMix64 [Steele, Lea, Flood 2014]: a bijection, so leaves never agree. */
uint64_t tan_leaf_check(uint32_t leaf, uint32_t wave)
{
    uint64_t x = ((uint64_t)wave << 32 | leaf) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t tan_leaf_set_check(const struct leaf_set *set, uint32_t wave)
{
    uint64_t check = 0;
    for (size_t i = 0; i < set->n; i++) {
        for (uint64_t leaf = set->list[i].first; leaf <= set->list[i].last; leaf++) {
            check += tan_leaf_check((uint32_t)leaf, wave);
        }
    }
    return check;
}

const char *tan_leaf_set_format(const struct leaf_set *set, char *buffer, size_t size)
{
    size_t length = 0;
    snprintf(buffer, size, "%s", set->n == 0 ? "none" : "");
    for (size_t i = 0; i < set->n; i++) {
        char range[32];
        const struct leaf_range *at = &set->list[i];
        if (at->first == at->last) {
            snprintf(range, sizeof range, "%s%" PRIu32, i > 0 ? "," : "", at->first);
        } else {
            snprintf(range, sizeof range, "%s%" PRIu32 "-%" PRIu32, i > 0 ? "," : "", at->first,
                     at->last);
        }
        const size_t behind = i + 1 < set->n ? sizeof "..." : sizeof "";
        if (length + strlen(range) + behind > size) {
            snprintf(buffer + length, size - length, "...");
            break;
        }
        snprintf(buffer + length, size - length, "%s", range);
        length += strlen(range);
    }
    return buffer;
}
