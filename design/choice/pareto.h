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
    enum tan_front_cost of;
};
extern const struct tan_front tan_fronts[];

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
