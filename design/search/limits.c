/* limits.c - table of limits; unsatisfiable ones, and suggestions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/limits.h"

#include <inttypes.h>
#include <stddef.h>

#include "design/search/baselines.h"

#define AT(member) offsetof(struct tan_problem, member)
const struct tan_limit tan_limits[] = {
    {"max_fanout", "--max-fanout", AT(max_fanout)},
    {"max_height", "--max-height", AT(max_height)},
    {"max_processes", "--max-processes", AT(max_processes)},
    {"max_loss", "--max-loss", AT(max_loss)},
    {NULL, NULL, 0},
};

int64_t tan_limits_least_root(const struct tan_problem *p)
{
    return p->max_loss > 0 ? tan_ceil_div(p->leaves, p->max_loss) : 1;
}

/* A tree with close to the fewest levels and processes: nodes above the leaves are full, and as few
 * as possible. */
static void make_fullest(const struct tan_problem *p, struct tan_plan *plan)
{
    const int64_t widest = p->max_fanout;
    int64_t fanouts[TAN_PLAN_LEVELS];
    int height = 1;
    for (int64_t nodes = p->leaves; nodes > widest; height++) {
        nodes = tan_ceil_div(nodes, widest);
    }
    int64_t parents = tan_ceil_div(p->leaves, widest); /* leaf parents */
    for (int i = 0; i < height - 1; i++) {
        int64_t even = tan_ceil_root(parents, height - 1 - i);
        even = i == 0 && even < tan_limits_least_root(p) ? tan_limits_least_root(p) : even;
        fanouts[i] = i > 0 && even > widest ? widest : even;
        parents = tan_ceil_div(parents, fanouts[i]);
    }
    fanouts[height - 1] = widest;
    tan_plan_levels(plan, p->leaves, fanouts, height);
}

static bool is_within(int64_t value, int64_t limit)
{
    return limit == 0 || value <= limit;
}

bool tan_limits_allow(const struct tan_problem *p, int64_t max_fanout, int64_t height,
                      int64_t processes, int64_t most_lost)
{
    return is_within(max_fanout, p->max_fanout) && is_within(height, p->max_height) &&
           is_within(processes, p->max_processes) && is_within(most_lost, p->max_loss);
}

static int check_loss(const struct tan_problem *p, struct tan_error *e)
{
    const int64_t root = p->max_fanout;
    const int64_t least = tan_limits_least_root(p);
    if (root == 0 || root >= least) {
        return 0;
    }
    return tan_fail_infeasible(e,
                               "with at most %" PRId64 " children the root's have %" PRId64
                               " leaves or more each: --max-loss %" PRId64 " needs %" PRId64
                               " children of the root",
                               root, tan_ceil_div(p->leaves, root), p->max_loss, least);
}

int tan_limits_check(const struct tan_problem *p, struct tan_error *e)
{
    if (p->max_processes > 0 && p->max_processes <= p->leaves) {
        return tan_fail_infeasible(e,
                                   "%" PRId64 " leaves and their root are %" PRId64
                                   " processes: --max-processes %" PRId64 " is too few",
                                   p->leaves, p->leaves + 1, p->max_processes);
    }
    if (p->max_fanout == 0 || p->max_fanout >= p->leaves) {
        return 0;
    }
    if (check_loss(p, e) < 0) {
        return -1;
    }
    if (p->max_fanout == 1) {
        return tan_fail_infeasible(e,
                                   "with --max-fanout 1 a tree has one leaf: %" PRId64
                                   " leaves need --max-fanout 2 or more",
                                   p->leaves);
    }
    struct tan_plan plan;
    make_fullest(p, &plan);
    if (p->max_height > 0 && plan.height > p->max_height) {
        return tan_fail_infeasible(e,
                                   "%" PRId64
                                   " leaves need --max-height %d at --max-fanout %" PRId64
                                   ", or --max-fanout %" PRId64 " at --max-height %" PRId64,
                                   p->leaves, plan.height, p->max_fanout,
                                   tan_ceil_root(p->leaves, (int)p->max_height), p->max_height);
    }
    return 0;
}

int tan_limits_fail(const struct tan_problem *p, struct tan_error *e)
{
    struct tan_plan plan;
    make_fullest(p, &plan);
    return tan_fail_infeasible(
        e,
        "no tree of %" PRId64 " leaves within the limits has as few as %" PRId64
        " processes: at --max-fanout %" PRId64 " --max-processes %" PRId64 " is enough (%s)",
        p->leaves, p->max_processes, p->max_fanout, plan.processes, tan_plan_fanouts(&plan).text);
}
