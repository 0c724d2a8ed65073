/* spark.c - Spark: the tree of treeAggregate and treeReduce (depth)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each level has the number of partitions of the one below divided by the scale, rounded down.
 * Partition i is sent to i modulo the new number; the driver takes the last level itself. Levels
 * end when another one would not be faster (RDD.scala of 1.3 to 4.0). */
#include <inttypes.h>
#include <math.h>

#include "design/targets/shape.h"

enum { LEVELS = 40 };

/* The number of partitions per level, starting with those to aggregate. Returns the number of
 * levels. */
static int find_levels(int64_t depth, int64_t size, int64_t partitions[LEVELS])
{
    const int64_t root = (int64_t)ceil(pow((double)size, 1.0 / (double)depth));
    const int64_t scale = root > 2 ? root : 2;
    int n = 0;
    partitions[n++] = size;
    while (size > scale + (size + scale - 1) / scale) {
        size /= scale;
        partitions[n++] = size;
    }
    return n;
}

/* A run of consecutive partitions of a level, up to `end`, that all have `size` partitions of level
 * 0 below them. Sizes are non-increasing from one step to the next. */
struct step {
    int64_t end, size;
};

/* How many of 0 .. end - 1 are congruent to `number` modulo `modulus`. */
static int64_t count_to(int64_t end, int64_t modulus, int64_t number)
{
    return end / modulus + (number < end % modulus);
}

/* The children, per step, of partition `number` of the next level, which has `modulus` partitions.
 * `depth` is passed on to them. */
static int children_of(const struct step *below, int n, int64_t modulus, int64_t number, int depth,
                       struct tan_branch *out)
{
    int64_t known = 0;
    int used = 0;
    for (int i = 0; i < n; i++) {
        const int64_t count = count_to(below[i].end, modulus, number) - known;
        if (count > 0) {
            out[used++] = (struct tan_branch){below[i].size, count, depth};
        }
        known += count;
    }
    return used;
}

static int64_t total_size(const struct tan_branch *branch, int n)
{
    int64_t all = 0;
    for (int i = 0; i < n; i++) {
        all += branch[i].size * branch[i].count;
    }
    return all;
}

/* The steps of a level with `modulus` partitions: one starts wherever the number of children from
 * some step below drops. */
static int step_up(const struct step *below, int n, int64_t modulus, struct step *out)
{
    struct tan_branch branch[LEVELS];
    int64_t end = 0;
    int used = 0;
    while (end < modulus) {
        const int64_t first = end;
        end = modulus;
        for (int i = 0; i < n; i++) {
            const int64_t change = below[i].end % modulus;
            if (change > first && change < end) {
                end = change;
            }
        }
        const int children = children_of(below, n, modulus, first, 0, branch);
        out[used++] = (struct step){end, total_size(branch, children)};
    }
    return used;
}

/* Processes below the driver get -1 - N in place of their depth, where N is the total number of
 * partitions. Their level follows from their size: all partitions of a level have more below them
 * than any partition of the previous level. */
static int split_by_depth(int64_t value, int64_t size, int depth, struct tan_branch *out)
{
    int64_t partitions[LEVELS];
    struct step now[LEVELS + 1];
    struct step next[LEVELS + 1];
    const int64_t whole = depth < 0 ? -1 - (int64_t)depth : size;
    if (whole >= INT32_MAX) { /* Spark counts partitions in 32 bits */
        return tan_branches_even(size, size, out);
    }
    const int levels = find_levels(value, whole, partitions);
    const int told = (int)(-1 - whole);
    int n = 1;
    now[0] = (struct step){whole, 1};
    for (int level = 1; level < levels; level++) {
        const int steps = step_up(now, n, partitions[level], next);
        for (int i = 0; i < steps && depth < 0; i++) {
            if (next[i].size == size) { /* partitions with equal size are interchangeable */
                return children_of(now, n, partitions[level], next[i].end - 1, told, out);
            }
        }
        for (n = 0; n < steps; n++) {
            now[n] = next[n];
        }
    }
    return children_of(now, n, 1, 0, told, out);
}

enum { DEPTH };

static const struct tan_knob knobs[] = {
    [DEPTH] =
        {
            .name = "depth=",
            .help = "levels that treeAggregate and treeReduce are to have; 1: flat",
            .least = 1,
            .most = LEVELS, /* from log2(N) on the scale is 2 */
            .directions = TAN_UP,
            .outside = "a larger one builds the same tree, and 0 is refused",
            .split = split_by_depth,
        },
    {.name = NULL},
};

static const struct tan_default defaults[] = {
    {"default", DEPTH, 2, NULL, NULL, NULL},
    {.name = NULL},
};

static const struct tan_trap traps[] = {
    {"spark.", "there is no property for it: depth is an argument of each call"},
    {"aggregationDepth",
     "that is the parameter of MLlib's estimators that becomes depth; they refuse 1"},
    {"scale", "Spark works it out from depth and the number of partitions"},
    {"finalAggregateOnExecutor",
     "it puts a task between the driver and the last level, and leaves the tree below as it is"},
    {.start = NULL},
};

static int write_spark(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    int64_t partitions[LEVELS];
    const struct tan_setting *setting = answer->up.knob != NULL ? &answer->up : &answer->down;
    const int64_t depth = setting->value;
    const int levels = find_levels(depth, answer->members, partitions);
    fprintf(to,
            "# Spark, %" PRId64 " partitions: an argument of the call,\n"
            "#   rdd.treeAggregate(zero)(seqOp, combOp, depth = %" PRId64 "), in Python\n"
            "#   rdd.treeAggregate(zero, seqOp, combOp, depth=%" PRId64 "); treeReduce the same;\n"
            "# of MLlib's estimators setAggregationDepth(%" PRId64 ").\n"
            "# Stages have ",
            answer->members, depth, depth, depth);
    for (int i = 0; i < levels; i++) {
        fprintf(to, "%" PRId64 "%s", partitions[i], i + 1 < levels ? ", " : " tasks");
    }
    fprintf(to,
            ", and the driver combines the last.\n"
            "# See them afterwards: the stages of the job in Spark's web interface.\n"
            "depth=%" PRId64 "\n",
            depth);
    return 0;
}

extern const struct tan_target tan_target_spark;
const struct tan_target tan_target_spark = {
    .name = "spark",
    .title = "Spark",
    .help = "depth of treeAggregate and treeReduce",
    .population = TAN_LEAVES_APART,
    .member = "partitions",
    .knobs = knobs,
    .defaults = defaults,
    .traps = traps,
    .write = write_spark,
    .failure =
        {
            .what = "The tasks of an executor that is lost run again on others, up to 4 times each "
                    "(spark.task.maxFailures).",
            .waits = "spark.network.timeout (120 s) for one that falls silent",
            .source = "configuration of Spark",
            .timeout = 120.0,
            .wait = TAN_WAIT_ONCE,
            .late = true,
        },
    .comment = "#",
    .read_back = "The job's stages in Spark's web interface have as many tasks as the levels have "
                 "partitions; rdd.toDebugString does not show them.",
};
