/* least.h - least cost of the levels below a node, whatever its depth
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_LEAST_H
#define TAN_DESIGN_SEARCH_LEAST_H

#include "design/search/plan.h"

/* The least costs of the levels below a node, for every number of leaves that a node can have left
 * in a level-uniform tree of the problem; of its limits only the fanout counts. For payloads that
 * grow towards the root, where costs by fanout alone say little. */
struct tan_least;

/* Dynamic programming over the numbers ceil(leaves / i): O(leaves^(3/4)) evaluations of the model;
 * fails (TAN_INFEASIBLE) beyond 10^9 leaves, where that would take half a minute. */
struct tan_least *tan_least_create(const struct tan_problem *problem, struct tan_error *e);
void tan_least_destroy(struct tan_least *l);
/* Seconds; INFINITY when the fanouts allowed cannot hold the leaves. O(1). */
double tan_least(const struct tan_least *l, int64_t leaves);

#endif
