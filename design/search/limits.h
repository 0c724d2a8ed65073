/* limits.h - table of limits; unsatisfiable ones, and suggestions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_LIMITS_H
#define TAN_DESIGN_SEARCH_LIMITS_H

#include "design/search/plan.h"

/* The limits of a problem, in the order in which answers list them. */
struct tan_limit {
    const char *key;    /* in JSON, "max_fanout"; NULL ends the table */
    const char *option; /* "--max-fanout" */
    size_t offset;      /* in struct tan_problem: an int64_t, 0 for none */
};
extern const struct tan_limit tan_limits[];
static inline int64_t tan_limit_of(const struct tan_problem *problem, const struct tan_limit *limit)
{
    return *(const int64_t *)((const char *)problem + limit->offset);
}

/* Whether a tree of this size is within the limits, assuming its widest process is not the root;
 * `most_lost`: leaves below a process other than the root. */
bool tan_limits_allow(const struct tan_problem *problem, int64_t max_fanout, int64_t height,
                      int64_t processes, int64_t most_lost);
/* The least number of children of the root with which every one of them has at most max_loss
 * leaves. */
int64_t tan_limits_least_root(const struct tan_problem *problem);
/* Fail (TAN_INFEASIBLE, suggesting limits that work) if fanout, height and loss, or the number of
 * leaves alone, rule out every tree. */
int tan_limits_check(const struct tan_problem *problem, struct tan_error *e);
/* Fail (TAN_INFEASIBLE, suggesting a number of processes that is enough) because no tree satisfies
 * both max_processes and the limit on children. Returns -1. */
int tan_limits_fail(const struct tan_problem *problem, struct tan_error *e);

#endif
