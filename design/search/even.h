/* even.h - exact search for the best even trees where requests and answers overlap
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_EVEN_H
#define TAN_DESIGN_SEARCH_EVEN_H

#include "design/search/plan.h"

/* For a model with `node` and at least two leaves: the best of all trees TAN_RULE_LEVELS,
 * TAN_RULE_LAST and TAN_RULE_KARY within the problem's limits, and the best with other heights or
 * other fanouts above the leaves: one each, until there are `k` or they are more than half as slow
 * again. Not sorted. No tree (out->n is 0) if none is within the limits. */
int tan_even_search(const struct tan_problem *problem, int k, struct tan_plans *out,
                    struct tan_error *e);

#endif
