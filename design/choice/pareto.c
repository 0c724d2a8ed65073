/* pareto.c - Pareto fronts of wave time and a second cost; objectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/design.h"

const struct tan_front tan_fronts[] = {
    {"latency,processes", "processes", "processes", TAN_COST_PROCESSES},
    {"latency,loss", "most_lost", "leaves lost by a failure", TAN_COST_LOSS},
    {.name = NULL},
};

static int limit_nothing(struct tan_problem *problem, struct tan_error *e)
{
    (void)problem;
    (void)e;
    return 0;
}

static int64_t children_of(const struct tan_plan *plan)
{
    return plan->max_fanout;
}

static int64_t processes_of(const struct tan_plan *plan)
{
    return plan->processes;
}

/* Set a limit of the problem, on what `of` says of a tree, to the least that leaves one, and is
 * more than `none`; by bisection. */
static int narrow_to_least(struct tan_problem *problem, int64_t *limit, int64_t none,
                           int64_t (*of)(const struct tan_plan *plan), struct tan_error *e)
{
    struct tan_plan plan;
    if (tan_search_best(problem, &plan, e) < 0) {
        return -1;
    }
    int64_t enough = of(&plan);
    while (enough - none > 1) {
        struct tan_error why = TAN_ERROR_INIT;
        *limit = none + (enough - none) / 2;
        if (tan_search_best(problem, &plan, &why) == 0) {
            enough = of(&plan);
        } else if (why.status == TAN_INFEASIBLE) {
            none = *limit;
        } else {
            *e = why;
            return -1;
        }
    }
    *limit = enough;
    return 0;
}

/* The shortest period: waves follow each other at the pace of the most expensive level, that of the
 * widest node. */
static int limit_fanout(struct tan_problem *problem, struct tan_error *e)
{
    return problem->leaves < 3 ? 0
                               : narrow_to_least(problem, &problem->max_fanout, 1, children_of, e);
}

/* The fewest processes are those of the last tree of the front, which would take long to follow. */
static int limit_processes(struct tan_problem *problem, struct tan_error *e)
{
    return narrow_to_least(problem, &problem->max_processes, problem->leaves, processes_of, e);
}

const struct tan_objective tan_objectives[] = {
    {"latency", limit_nothing, NULL},
    {"period", limit_fanout, "the shortest period"},
    {"processes", limit_processes, "the fewest processes"},
    {NULL, NULL, NULL},
};
