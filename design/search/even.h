/* even.h - exact search for the best even trees, and for fronts of them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_EVEN_H
#define TAN_DESIGN_SEARCH_EVEN_H

#include "design/search/plan.h"

/* With at least two leaves, and trees within the problem's limits: all trees TAN_RULE_LEVELS,
 * TAN_RULE_LAST and TAN_RULE_KARY for a model with `node`, else TAN_RULE_LEVELS alone. No tree
 * (out->n is 0) if none is within the limits.
 * `front` NULL, for a model with `node`: the best, and the best with other heights or other fanouts
 * above the leaves: one each, until there are `k` or they are more than half as slow again. Not
 * sorted. Otherwise those to which no other is preferable in wave and cost, at least the `k`
 * fastest, fastest first. */
int tan_even_search(const struct tan_problem *problem, const enum tan_front_cost *front, int k,
                    struct tan_plans *out, struct tan_error *e);

#endif
