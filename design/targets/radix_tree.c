/* radix_tree.c - the tree of PRRTE's and ORTE's daemons
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/radix_tree.h"

#include <inttypes.h>

#include "design/targets/shape.h"

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
