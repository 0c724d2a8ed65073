/* growing.h - lower bounds for even trees whose messages grow towards the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_GROWING_H
#define TAN_DESIGN_SEARCH_GROWING_H

#include "design/search/plan.h"

/* Of even trees over a problem's leaves, whose nodes have floor(leaves / i) leaves below them, or
 * one more, for some i. All times are seconds without a node's own receive of its request. The
 * bounds hold whatever the model's rare exceptions to monotony are, and for all orders of children;
 * of the problem's limits they know only that on children. */
struct tan_growing;

/* Borrows the problem. O(leaves^(3/4)): some 50 ms for 10^6 leaves, half a minute for 10^9. NULL
 * when memory is short. */
struct tan_growing *tan_growing_create(const struct tan_problem *problem, struct tan_error *e);
void tan_growing_destroy(struct tan_growing *g);

/* Bounds of the time of a node by its own messages. */
struct tan_growing_node {
    double adds; /* to the time of the child that takes the least */
    double busy; /* even if no child takes any time */
};
/* Of `fanout` children `fuller` have `below` + 1 leaves and the others `below`. */
struct tan_growing_node tan_growing_node(const struct tan_growing *g, int64_t fanout, int64_t below,
                                         int64_t fuller);

/* Fanouts from a first to the `last` one with which a node's children have `below` leaves or one
 * more, and the least time of a node with any of them. */
struct tan_growing_alike {
    int64_t below, last;
    struct tan_growing_node node;
    double time;
};
/* 2 <= first <= leaves, one of the numbers of leaves above. */
struct tan_growing_alike tan_growing_alike(const struct tan_growing *g, int64_t leaves,
                                           int64_t first);

/* No wave takes less time. INFINITY if the limit on children allows no tree. */
double tan_growing_least(const struct tan_growing *g);
/* What the levels above a node add to its time at least in waves of up to `most` seconds; INFINITY
 * if it is in none. */
void tan_growing_limit(struct tan_growing *g, double most);
double tan_growing_above(const struct tan_growing *g, int64_t leaves);

#endif
