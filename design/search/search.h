/* search.h - exact search for the best trees with a given number of leaves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SEARCH_H
#define TAN_DESIGN_SEARCH_SEARCH_H

#include <stdbool.h>

#include "design/search/plan.h"

/* Trees, best first. */
struct tan_plans {
    size_t n;
    bool cut;              /* there are more, but too many ties to order */
    struct tan_plan *plan; /* owned: tan_plans_clear */
};

/* Costs closer than this, relatively, count as equal. */
#define TAN_SEARCH_EQUAL 1e-9

/* The `k` >= 1 best trees within the problem's limits among all level-uniform trees (equal fanout
 * within a level, leaves of the last level spread evenly), fewer if there are not as many or if
 * `cut` is set. Ordered by wave time, ties by fewest processes. Wasteful trees (a fanout larger
 * than the next level's leaves require) are not listed. Under a model with `node` trees are found
 * as if all nodes of a level were as full as the fullest, and only then priced as they are: the
 * first 64, or k if that is more; for k = 1 and more than 256 leaves only the first. If no tree is
 * within the limits: TAN_INFEASIBLE, suggesting limits that work. Milliseconds for 10^9 leaves;
 * longer with a limit on processes. */
int tan_search(const struct tan_problem *problem, int k, struct tan_plans *out,
               struct tan_error *e);
/* The trees within the problem's limits, of those that tan_search considers, that no other
 * dominates in wave time and processes, fastest first: `most` >= 1 of them (`cut` if there are
 * more, or too many ties). One search finds all. Fails as tan_search. */
int tan_search_front(const struct tan_problem *problem, size_t most, struct tan_plans *out,
                     struct tan_error *e);
/* Whether one of the plans has the same fanouts. */
bool tan_plans_have(const struct tan_plans *plans, const struct tan_plan *plan);
void tan_plans_clear(struct tan_plans *plans);

#endif
