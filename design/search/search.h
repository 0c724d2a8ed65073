/* search.h - exact search for the best trees with a given number of leaves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SEARCH_H
#define TAN_DESIGN_SEARCH_SEARCH_H

#include <stdbool.h>

#include "design/search/plan.h"

/* The `k` >= 1 best trees within the problem's limits, fewer if there are not as many or if `cut`
 * is set. Ordered by wave time, ties by fewest processes. If no tree is within the limits:
 * TAN_INFEASIBLE, suggesting limits that work.
 *
 * Models that are sums of levels: among all level-uniform trees (equal fanout within a level,
 * leaves divided evenly). Wasteful ones (a fanout larger than the next level's leaves require) are
 * not listed. Milliseconds for 10^9 leaves; longer with a limit on processes.
 *
 * Models with `node`: among all even and k-ary trees, the rules up to TAN_RULE_KARY. The first is
 * the best of all; the others are the best with another height or another fanout above the leaves,
 * since thousands of trees differ only in the order of their fanouts. Some 5 ms for 10^6 leaves, 60
 * for 10^9; where messages grow 100 ms for 10^6. */
int tan_search(const struct tan_problem *problem, int k, struct tan_plans *out,
               struct tan_error *e);
/* The best of them. */
int tan_search_best(const struct tan_problem *problem, struct tan_plan *best, struct tan_error *e);
/* The trees of tan_search within the problem's limits that no other tree dominates in wave time and
 * `cost`: fastest first, at most `most` >= 1 (`cut` if there are more). Fails as tan_search. */
int tan_search_front(const struct tan_problem *problem, enum tan_front_cost cost, size_t most,
                     struct tan_plans *out, struct tan_error *e);
/* Whether the best tree is proven to be that: not where children that take longer can make a wave
 * shorter, since answers slip in between requests (gaps above an overhead, or a shared NIC), nor
 * where messages grow towards the root. Then the trees found are candidates, which are priced
 * exactly; where messages grow, plans.bound says how far they are from the best at most. */
bool tan_search_proves(const struct tan_problem *problem);
/* even.c: with at least two leaves, and trees within the problem's limits: all trees
 * TAN_RULE_LEVELS, TAN_RULE_LAST and TAN_RULE_KARY for a model with `node`, else TAN_RULE_LEVELS
 * alone. No tree (out->n is 0) if none is within the limits.
 * `front` NULL, for a model with `node`: the best, and the best with other heights or other fanouts
 * above the leaves: one each, until there are `k` or they are more than half as slow again. Not
 * sorted. Otherwise those to which no other is preferable in wave and cost, at least the `k`
 * fastest, fastest first. */
int tan_even_search(const struct tan_problem *problem, const enum tan_front_cost *front, int k,
                    struct tan_plans *out, struct tan_error *e);
/* Whether one of the plans is the same tree. */
bool tan_plans_have(const struct tan_plans *plans, const struct tan_plan *plan);

#endif
