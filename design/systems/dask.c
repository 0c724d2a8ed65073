/* dask.c - Dask: the tree that reduces chunks (split_every)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every k neighbouring results are combined into one, level by level, until a single task can take
 * the rest (dask/array/reductions.py and dask/bag/core.py of 2022.12). A group of one is a task
 * that combines nothing and is not counted. */
#include <inttypes.h>

#include "design/targets/setting.h"
#include "design/targets/shape.h"

/* Blocks of k^j chunks, with the largest power that leaves at least two of them, and the
 * remainder. */
static int split_in_blocks(int64_t k, int64_t size, int depth, struct tan_branch *out)
{
    int64_t block = 1;
    (void)depth;
    while (block <= (size - 1) / k) {
        block *= k;
    }
    int n = 0;
    out[n++] = (struct tan_branch){.size = block, .count = size / block};
    if (size % block > 0) {
        out[n++] = (struct tan_branch){.size = size % block, .count = 1};
    }
    return n;
}

enum { SPLIT_EVERY };

static const struct tan_knob knobs[] = {
    [SPLIT_EVERY] =
        {
            .name = "split_every=",
            .help = "results that a task combines, of neighbouring chunks; the number of chunks: "
                    "flat",
            .least = 2,
            .most = INT32_MAX,
            .directions = TAN_UP,
            .outside = "arrays take 2 for 1, and their default for 0; DataFrames refuse it, and "
                       "bags never end",
            .split = split_in_blocks,
        },
    {.name = NULL},
};

static int64_t flat_value(int64_t members)
{
    return members;
}

static const struct tan_default defaults[] = {
    {"default of arrays", SPLIT_EVERY, 4, NULL, NULL, NULL},
    {"default of bags and of DataFrame.reduction", SPLIT_EVERY, 8, NULL, NULL, NULL},
    {"default of DataFrame.sum and the like, which is flat", SPLIT_EVERY, 0, flat_value, NULL,
     NULL},
    {"default of arrays with array.query-planning", SPLIT_EVERY, 16, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"split_every=False",
     "for bags and DataFrames that is flat, and for arrays it is the default, 4: say the number of "
     "chunks"},
    {"split_every=None", "that is the default, which is another one for each kind of collection"},
    {"split_every={", "a number for each axis: each axis is a tree of its own"},
    {"split-every", "the name has no hyphen: split_every"},
    {"split_out", "that is how many partitions the result has"},
    {.start = NULL},
};

static int write_dask(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    const struct tan_setting *setting = answer->up.knob != NULL ? &answer->up : &answer->down;
    const int64_t k = setting->value;
    fprintf(to,
            "# Dask, %" PRId64 " chunks: an argument of the reduction,\n"
            "#   x.sum(axis=0, split_every=%" PRId64 "), of arrays, bags and DataFrames.\n"
            "# Where two axes of an array are reduced at once, each gets the square root of it.\n"
            "# For all reductions of arrays without a split_every of their own:\n"
            "#   dask.config.set(split_every=%" PRId64
            "), or DASK_SPLIT_EVERY in the environment.\n"
            "# See the tree: result.visualize(optimize_graph=True)\n"
            "split_every=%" PRId64 "\n",
            answer->members, k, k, k);
    return 0;
}

extern const struct tan_target tan_target_dask;
const struct tan_target tan_target_dask = {
    .name = "dask",
    .title = "Dask",
    .help = "split_every: how many results a task of a reduction combines",
    .population = TAN_LEAVES_APART,
    .member = "chunks (partitions)",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_dask,
    .failure =
        {
            .what = "Results lost with a worker are computed again by others; a task that 3 "
                    "workers have died of is given up (allowed-failures).",
            .waits = "none for a worker that dies; worker-ttl (5 min) for one that falls silent",
            .source = "distributed.yaml and killed.rst of Dask, 2026",
            .timeout = 300.0,
            .wait = TAN_WAIT_ONCE,
            .late = true,
        },
    .comment = "#",
    .read_back = "result.visualize(optimize_graph=True) draws the graph of tasks, and len of each "
                 "of result.dask.layers.values() counts those of a level; a task with one input "
                 "combines nothing.",
};
