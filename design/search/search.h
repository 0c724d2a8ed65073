/* search.h - exact search for the best trees for a number of leaves
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_SEARCH_SEARCH_H
#define TAN_DESIGN_SEARCH_SEARCH_H

#include <stdbool.h>

#include "design/search/plan.h"

TAN_BEGIN_DECLS

/* Trees, best first. */
struct tan_plans {
    size_t n;
    bool cut;              /* there are more, but too many equal ones to order */
    struct tan_plan *plan; /* owned: tan_plans_clear */
};

/* Costs that differ by less than this share of them count as equal. */
#define TAN_SEARCH_EQUAL 1e-9

/* The `k` >= 1 best trees within the problem's limits among all level-uniform trees (every node of
 * a level has the same fanout, the last level's leaves are spread evenly), fewer when there are not
 * as many or `cut` is set. The order is that of the wave time; of equal times the one with the
 * fewest processes comes first. Wasteful trees (a fanout larger than needed for the next level's
 * number of leaves) are not listed. No tree within the limits is TAN_INFEASIBLE, with limits that
 * would do. Milliseconds for 10^9 leaves; more with a limit on processes. */
int tan_search(const struct tan_problem *problem, int k, struct tan_plans *out,
               struct tan_error *e);
/* Whether one of them has the same fanouts. */
bool tan_plans_have(const struct tan_plans *plans, const struct tan_plan *plan);
void tan_plans_clear(struct tan_plans *plans);

TAN_END_DECLS

#endif
