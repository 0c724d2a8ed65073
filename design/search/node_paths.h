/* node_paths.h - best trees if a node's time is not a sum of level costs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_NODE_PATHS_H
#define TAN_DESIGN_SEARCH_NODE_PATHS_H

#include "design/search/paths.h"
#include "design/search/space.h"

/* The `k` >= 1 paths of the graph with the least wave time under the problem's model, which has a
 * `node`, if all nodes of a level are as full as the fullest; ties go to fewer processes. Exact,
 * since a node's time is non-decreasing in its child's: the k best trees below a node consist of
 * the k best below its children. At most k evaluations of `node` per arc. */
int tan_node_paths_find(const struct tan_problem *problem, const struct tan_space *space, int k,
                        struct tan_paths *out, struct tan_error *e);

#endif
