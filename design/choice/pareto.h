/* pareto.h - trees that are best for their number of processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_PARETO_H
#define TAN_DESIGN_CHOICE_PARETO_H

#include "design/search/search.h"

/* The level-uniform trees within the problem's limits to which no other is preferable: none has
 * both a wave as short and processes as few, and one of the two better. By rising wave time,
 * falling processes, from the fastest tree on; at most `most` (`cut` tells). Exact: one search for
 * each, with fewer processes than the one before. */
int tan_pareto(const struct tan_problem *problem, size_t most, struct tan_plans *out,
               struct tan_error *e);

/* What a tree is to be best in. */
struct tan_objective {
    const char *name; /* "latency"; NULL ends the table */
    const char *help;
    /* Narrow the problem's limits to the trees that are best in it; of these the search finds the
     * one with the shortest wave. */
    int (*narrow)(struct tan_problem *problem, struct tan_error *e);
};
extern const struct tan_objective tan_objectives[];
const struct tan_objective *tan_objective_find(const char *name, struct tan_error *e);

#endif
