/* knomial.c - k-ary, k-nomial, binomial and radix trees over ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/knomial.h"

#include <inttypes.h>

#include "design/systems/shape.h"

/* The first branches fill their part of the last level, one may fill it partly, and the rest end
 * one level higher. */
int tan_kary_split(int64_t arity, int64_t size, int depth, struct tan_branch *out)
{
    (void)depth;
    if (arity <= 1 || size - 1 <= arity) {
        return tan_branches_even(size - 1, arity == 1 ? 1 : size - 1, out);
    }
    int64_t branch = 0; /* ranks of a branch above the last level */
    int64_t share = 1;  /* capacity of a branch in the last level */
    while (share <= (size - 1 - arity * branch) / arity) {
        branch += share;
        share *= arity;
    }
    const int64_t last = size - 1 - arity * branch;
    const int64_t full = last / share;
    const int64_t part = last % share;
    int n = tan_branches_add(out, 0, branch + share, full);
    n = tan_branches_add(out, n, branch + part, part > 0);
    return tan_branches_add(out, n, branch, arity - full - (part > 0));
}

void tan_kary_parents(int64_t arity, int32_t n, int32_t *parents)
{
    parents[0] = -1;
    for (int32_t rank = 1; rank < n; rank++) {
        parents[rank] = arity == 0 ? 0 : (int32_t)((rank - 1) / arity);
    }
}

/* The root's children are ranks r radix^j, 0 < r < radix; each subtree extends to the next
 * child. */
int tan_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    int n = 0;
    (void)depth;
    for (int64_t place = 1; place < size; place *= radix) {
        const int64_t begun = (size - 1) / place; /* multiples of `place` among the ranks */
        const int64_t children = begun < radix - 1 ? begun : radix - 1;
        const int64_t last = size - children * place; /* ranks from the last child on */
        const int64_t cut = last < place ? 1 : 0;
        n = tan_branches_add(out, n, place, children - cut);
        n = tan_branches_add(out, n, last, cut);
        if (place > size / radix) {
            break;
        }
    }
    return n;
}

int tan_knomial_split_falling(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    const int n = tan_knomial_split(radix, size, depth, out);
    for (int i = 0; i < n / 2; i++) {
        const struct tan_branch first = out[i];
        out[i] = out[n - 1 - i];
        out[n - 1 - i] = first;
    }
    for (int i = 0; i < n; i++) {
        out[i].falling = true;
    }
    return n;
}

/* Only the last child of the highest place may have fewer ranks than its place. */
int tan_knomial_split_by_place(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    const int n = tan_knomial_split_falling(radix, size, depth, out);
    int64_t place = 1;
    while (place <= (size - 1) / radix) {
        place *= radix;
    }
    for (int i = out[0].size < place ? 1 : 0; i < n; i++) {
        out[i].falling = false;
    }
    if (n > 1 && out[0].size < place && out[1].size == place) {
        const struct tan_branch cut = out[0];
        out[0] = out[1];
        out[1] = cut;
    }
    return n;
}

void tan_knomial_parents(int64_t radix, int32_t n, int32_t *parents)
{
    parents[0] = -1;
    for (int32_t rank = 1; rank < n; rank++) {
        int64_t place = 1;
        while (rank / place % radix == 0) {
            place *= radix;
        }
        parents[rank] = (int32_t)(rank - rank / place % radix * place);
    }
}

/* The root has the same children; the subtree of r radix^j consists of the ranks ending in its
 * digits. */
int tan_strided_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    int n = 0;
    (void)depth;
    for (int64_t place = 1; place < size; place *= radix) {
        const int64_t begun = (size - 1) / place;
        const int64_t children = begun < radix - 1 ? begun : radix - 1;
        /* rank r place, and every radix place after it */
        const int64_t whole = (size - 1) / place / radix; /* strides in every child */
        const int64_t more = (size - 1) / place % radix;  /* children with one more stride */
        const int64_t with_more = more < children ? more : children;
        n = tan_branches_add(out, n, whole + 1, with_more);
        n = tan_branches_add(out, n, whole, children - with_more);
        if (place > size / radix) {
            break;
        }
    }
    return n;
}

void tan_strided_knomial_parents(int64_t radix, int32_t n, int32_t *parents)
{
    parents[0] = -1;
    for (int32_t rank = 1; rank < n; rank++) {
        int64_t place = 1;
        while (rank / place >= radix) {
            place *= radix;
        }
        parents[rank] = (int32_t)(rank % place);
    }
}

/* A node with capacity radix^p has radix - 1 children of capacity radix^(p-1), then as many of the
 * next lower capacity, down to 1, filled in order. Only a partially filled node needs its p, which
 * is passed as depth -1 - p. */
int tan_preorder_knomial_split(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    int64_t room = 1; /* radix^power */
    int power = 0;
    int n = 0;
    for (; room < size || (depth < 0 && power < -1 - depth); power++) {
        room *= radix;
    }
    for (int64_t left = size - 1; left > 0;) {
        room /= radix;
        power--;
        const int64_t full = left / room < radix - 1 ? left / room : radix - 1;
        if (full > 0) {
            out[n++] = (struct tan_branch){.size = room, .count = full, .depth = -1 - power};
            left -= full * room;
        }
        if (left > 0 && full < radix - 1) {
            out[n++] = (struct tan_branch){.size = left, .count = 1, .depth = -1 - power};
            left = 0;
        }
    }
    return n;
}

void tan_preorder_knomial_parents(int64_t radix, int32_t n, int32_t *parents)
{
    tan_preorder_parents(tan_preorder_knomial_split, radix, n, parents);
}

/* Below a daemon in a level with `width` positions are all daemons whose numbers are larger by a
 * multiple of `width`. The first `radix` of them are its children, among which the rest is dealt
 * round-robin, so their subtrees differ by one daemon at most. */
int tan_radix_tree_split(int64_t radix, int64_t size, int depth, struct tan_branch *out)
{
    (void)depth;
    return tan_branches_even(size - 1, radix, out);
}

/* A level of the tree: its first daemon, and how many it has room for. */
struct level {
    int64_t first, width;
};

static struct level level_below(struct level level, int64_t radix)
{
    return (struct level){level.first + level.width, level.width * radix};
}

void tan_radix_tree_parents(int64_t radix, int32_t n, int32_t *parents)
{
    struct level above = {0, 1};
    struct level level = level_below(above, radix);
    parents[0] = -1;
    for (int32_t i = 1; i < n; i++) {
        if (i == level.first + level.width) {
            above = level;
            level = level_below(level, radix);
        }
        parents[i] = (int32_t)(above.first + (i - level.first) % above.width);
    }
}

bool tan_radix_tree_overflows(int64_t radix, int64_t members)
{
    struct level level = {0, 1};
    while (members > level.first + level.width) {
        level = level_below(level, radix);
        if (level.width > INT32_MAX) {
            return true;
        }
    }
    /* what the last daemon computes as the number of its last child */
    return members - 1 + level.width * radix > INT32_MAX;
}

int tan_radix_tree_check(const char *setting, int64_t radix, int64_t members, struct tan_error *e)
{
    if (!tan_radix_tree_overflows(radix, members)) {
        return 0;
    }
    return tan_fail_infeasible(e,
                               "%s%" PRId64 " with %" PRId64 " daemons overflows their 32-bit "
                               "arithmetic, and they hang or die: a radix above 1290 works only "
                               "for flat trees",
                               setting, radix, members);
}
