/* least.h - least cost of the levels below a node, at any depth
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_LEAST_H
#define TAN_DESIGN_SEARCH_LEAST_H

#include "design/search/plan.h"

/* The least cost of the levels below a node for every number of leaves that can remain in a
 * level-uniform tree of the problem; of the limits only fanout is respected. For payloads that grow
 * towards the root, where cost by fanout alone is a weak bound. */
struct tan_least;

/* Dynamic programming over the numbers ceil(leaves / i): O(leaves^(3/4)) model evaluations. Fails
 * (TAN_INFEASIBLE) beyond 10^9 leaves, where that would take half a minute, and when memory is
 * short. */
struct tan_least *tan_least_create(const struct tan_problem *problem, struct tan_error *e);
void tan_least_destroy(struct tan_least *l);
/* For one of the numbers ceil(N / i), N being the problem's leaves. Seconds, without C; INFINITY if
 * the allowed fanouts cannot hold the leaves. O(1). */
double tan_least(const struct tan_least *l, int64_t leaves);

#endif
