/* pareto.c - Pareto fronts of wave time and a second cost; objectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/pareto.h"

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

/* The shortest period: waves follow each other at the pace of the most expensive level, that of the
 * widest node, so bisect for the smallest fanout that is feasible. */
static int limit_fanout(struct tan_problem *problem, struct tan_error *e)
{
    const int64_t limit = problem->max_fanout > 0 ? problem->max_fanout : problem->leaves;
    struct tan_problem tried = *problem;
    int64_t none = 1; /* largest fanout known to be too small */
    int64_t enough = limit;
    struct tan_plans plans;
    if (problem->leaves < 3) {
        return 0;
    }
    tried.max_fanout = limit;
    if (tan_search(&tried, 1, &plans, e) < 0) {
        return -1;
    }
    tan_plans_clear(&plans);
    while (enough - none > 1) {
        struct tan_error why = TAN_ERROR_INIT;
        tried.max_fanout = none + (enough - none) / 2;
        if (tan_search(&tried, 1, &plans, &why) == 0) {
            tan_plans_clear(&plans);
            enough = tried.max_fanout;
        } else if (why.status == TAN_INFEASIBLE) {
            none = tried.max_fanout;
        } else {
            *e = why;
            return -1;
        }
    }
    problem->max_fanout = enough;
    return 0;
}

/* The fewest processes, those of the last tree of the front; by bisection, since a front with many
 * trees would take long to follow. */
static int limit_processes(struct tan_problem *problem, struct tan_error *e)
{
    struct tan_problem tried = *problem;
    struct tan_plans plans;
    if (tan_search(&tried, 1, &plans, e) < 0) {
        return -1;
    }
    int64_t enough = plans.plan[0].processes;
    int64_t none = problem->leaves;
    tan_plans_clear(&plans);
    while (enough - none > 1) {
        struct tan_error why = TAN_ERROR_INIT;
        tried.max_processes = none + (enough - none) / 2;
        if (tan_search(&tried, 1, &plans, &why) == 0) {
            enough = plans.plan[0].processes;
            tan_plans_clear(&plans);
        } else if (why.status == TAN_INFEASIBLE) {
            none = tried.max_processes;
        } else {
            *e = why;
            return -1;
        }
    }
    problem->max_processes = enough;
    return 0;
}

const struct tan_objective tan_objectives[] = {
    {"latency", limit_nothing, NULL},
    {"period", limit_fanout, "the shortest period"},
    {"processes", limit_processes, "the fewest processes"},
    {NULL, NULL, NULL},
};
