/* pareto.h - Pareto fronts of wave time and a second cost; objectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_PARETO_H
#define TAN_DESIGN_CHOICE_PARETO_H

#include "design/search/search.h"

/* A cost that is weighed against the wave time. */
struct tan_front {
    const char *name; /* "latency,processes"; NULL ends the table */
    const char *cost; /* "processes"; its key in JSON is that of the tree's */
    const char *help; /* of the second cost: "leaves lost by a failure" */
    int64_t (*of)(const struct tan_plan *plan);
    size_t limit; /* on it, in struct tan_problem */
};
extern const struct tan_front tan_fronts[];

/* The trees of tan_search within the problem's limits that no other tree dominates in wave time and
 * the front's cost. Sorted by increasing wave time and decreasing cost, starting with the fastest
 * tree; at most `most` >= 1 (`cut` if there are more). One search per tree. TAN_INFEASIBLE if no
 * tree is within the limits. */
int tan_pareto(const struct tan_problem *problem, const struct tan_front *front, size_t most,
               struct tan_plans *out, struct tan_error *e);

/* An objective that trees are optimised for. */
struct tan_objective {
    const char *name; /* "latency"; NULL ends the table */
    /* Narrow the problem's limits to the trees that are best by the objective; the search then
     * finds the one with the shortest wave. Fails as tan_search. */
    int (*narrow)(struct tan_problem *problem, struct tan_error *e);
    const char *least; /* "the shortest period"; NULL if it narrows nothing */
};
extern const struct tan_objective tan_objectives[];

#endif
