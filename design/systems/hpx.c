/* hpx.c - HPX: trees of hierarchical communicators (arity)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A range of at most `arity` sites is flat below its first one; a longer one is cut into `arity`
 * parts of equal size, of which the first ones are longer by one, and the first sites of the other
 * parts are below that of the first. All parts are cut by the same rule
 * (libs/full/collectives/src/create_communicator.cpp and detail/hierarchical_helpers.cpp, main
 * branch of 2026). */
#include <inttypes.h>

#include "design/targets/shape.h"
#include "design/targets/target.h"

/* The first site has children in every range that starts with it. */
static int cut_split(int64_t arity, int64_t size, int depth, struct tan_branch *out)
{
    int n = 0;
    (void)depth;
    while (size > arity) {
        const int64_t part = size / arity;
        const int64_t longer = size % arity; /* parts, the first one among them */
        n = tan_branches_add(out, n, part + 1, longer - 1);
        n = tan_branches_add(out, n, part, arity - longer - (longer == 0));
        size = part + (longer > 0);
    }
    return tan_branches_add(out, n, 1, size - 1);
}

static void cut_range(int64_t arity, int32_t first, int32_t size, int32_t *parents)
{
    if (size <= arity) {
        for (int32_t i = 1; i < size; i++) {
            parents[first + i] = first;
        }
        return;
    }
    int32_t left = first;
    for (int32_t i = 0; i < arity; i++) {
        const int32_t part = size / (int32_t)arity + (i < size % (int32_t)arity);
        if (i > 0) {
            parents[left] = first;
        }
        cut_range(arity, left, part, parents);
        left += part;
    }
}

static void cut_parents(int64_t arity, int32_t n, int32_t *parents)
{
    parents[0] = -1;
    cut_range(arity, 0, n, parents);
}

static const struct tan_knob knobs[] = {
    {
        .name = "arity=",
        .help = "parts that a range of sites is cut into; the number of sites: flat",
        .least = 2,
        .most = INT32_MAX,
        .directions = TAN_UP | TAN_DOWN,
        .outside = "an exception is thrown below it",
        .split = cut_split,
        .parents = cut_parents,
    },
    {.name = NULL},
};

/* arity_arg, and flat_fallback_threshold_arg, below which the tree is flat whatever the arity
 * (argument_types.hpp). */
static int64_t default_arity(int64_t sites)
{
    enum { ARITY = 2, FLAT_BELOW = 16 };
    return sites < FLAT_BELOW ? sites : ARITY;
}

static const struct tan_default defaults[] = {
    {"default", 0, 0, default_arity, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"flat_fallback_threshold",
     "it is the number of sites below which the tree is flat, 16 by default: say arity=K, which is "
     "written with a threshold of 0"},
    {"root_site", "hierarchical communicators have site 0 as their root only"},
    {.start = NULL},
};

static int write_hpx(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to,
            "// HPX, %" PRId64 " sites: each of them creates the communicator with these "
            "arguments.\n"
            "// The last one keeps it from being flat with fewer than 16 sites.\n"
            "using namespace hpx::collectives;\n"
            "auto tree = create_hierarchical_communicator(\"/tree/\", num_sites_arg(%" PRId64 "),\n"
            "    this_site_arg(), arity_arg(%" PRId64 "), generation_arg(), root_site_arg(0),\n"
            "    flat_fallback_threshold_arg(0));\n",
            answer->members, answer->members, answer->up.value);
    return 0;
}

extern const struct tan_target tan_target_hpx;
const struct tan_target tan_target_hpx = {
    .name = "hpx",
    .title = "HPX, main branch of 2026 (hierarchical communicators)",
    .help = "arity of hierarchical communicators",
    .population = TAN_ALL_MEMBERS,
    .member = "sites, the root included",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_hpx,
    .comment = "//",
    .read_back = "HPX prints no tree; every communicator in it is registered under its range of "
                 "sites, as /tree/0-7/.",
};
