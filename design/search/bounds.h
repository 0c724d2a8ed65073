/* bounds.h - lower bounds for the cost of completing a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_BOUNDS_H
#define TAN_DESIGN_SEARCH_BOUNDS_H

#include "design/search/plan.h"

struct tan_bounds;

/* Prepare lower bounds for a problem, which is borrowed. They assume only that the cost of a level
 * is non-decreasing in its fanout and in the leaves below its nodes. Evaluates the model a few
 * thousand times. NULL when memory is short. */
struct tan_bounds *tan_bounds_create(const struct tan_problem *problem, struct tan_error *e);
void tan_bounds_destroy(struct tan_bounds *b);

/* The part still to be built below a node of a tree whose upper levels are fixed. */
struct tan_rest {
    int64_t leaves;   /* below the node */
    int64_t nodes;    /* in the node's level, over the whole tree */
    int64_t internal; /* internal processes so far, excluding the root and including that level */
    int height;       /* levels so far */
};

/* What a level with so many children adds to a wave at least if none takes less time than another
 * that is known. More than tan_level_cost, which holds for a single slow child, too, if the NIC is
 * shared; but then children that differ may take less. */
double tan_bounds_level(const struct tan_problem *problem, int64_t fanout);

/* A lower bound for the cost of every completion, in seconds, without C; INFINITY if there is none
 * within the problem's limits. Never too high, so pruning by it is safe. O(log leaves). */
double tan_bound(const struct tan_bounds *b, const struct tan_rest *rest);
/* The same, without limits on height and processes, for levels below a node that has so many leaves
 * and divides them evenly, down to the emptiest of its leaves' parents. */
double tan_bound_even(const struct tan_bounds *b, int64_t leaves);

#endif
