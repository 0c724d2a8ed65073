/* pareto.h - Pareto front of wave time and processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_PARETO_H
#define TAN_DESIGN_CHOICE_PARETO_H

#include "design/search/search.h"

/* The level-uniform trees within the problem's limits that no other tree dominates in wave time and
 * number of processes. Sorted by increasing wave time and decreasing processes, starting with the
 * fastest tree; at most `most` >= 1 (`cut` if there are more). Exact: one search per tree, each
 * with fewer processes than the one before. TAN_INFEASIBLE if no tree is within the limits. */
int tan_pareto(const struct tan_problem *problem, size_t most, struct tan_plans *out,
               struct tan_error *e);

/* An objective that trees are optimised for. */
struct tan_objective {
    const char *name; /* "latency"; NULL ends the table */
    /* Narrow the problem's limits to the trees that are best by the objective; the search then
     * finds the one with the shortest wave. Fails as tan_search. */
    int (*narrow)(struct tan_problem *problem, struct tan_error *e);
    const char *least; /* "the shortest period"; NULL if it narrows nothing */
};
extern const struct tan_objective tan_objectives[];
/* NULL, with an error that lists the names, if there is none of this name. */
const struct tan_objective *tan_objective_find(const char *name, struct tan_error *e);

#endif
