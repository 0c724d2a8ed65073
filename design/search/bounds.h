/* bounds.h - lower bounds of the cost of the rest of a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_BOUNDS_H
#define TAN_DESIGN_SEARCH_BOUNDS_H

#include "design/search/plan.h"

struct tan_bounds;

/* Prepare lower bounds for a problem. They use only that a level's cost does not fall with its
 * fanout or with the leaves below its nodes. Takes some thousand evaluations of the model. NULL
 * when memory is short. */
struct tan_bounds *tan_bounds_create(const struct tan_problem *problem, struct tan_error *e);
void tan_bounds_destroy(struct tan_bounds *b);

/* The part still to be built below one node of a tree with given upper levels. */
struct tan_rest {
    int64_t leaves;   /* below the node */
    int64_t nodes;    /* of the node's level in the whole tree */
    int64_t internal; /* processes between the root and the leaves so far, that level included */
    int height;       /* levels so far */
};

/* Every completion costs at least this, in seconds (C not included); INFINITY when there is none
 * within the problem's limits. Never too high: a pruned tree cannot be better. O(1) without
 * --max-processes. */
double tan_bound(const struct tan_bounds *b, const struct tan_rest *rest);

#endif
