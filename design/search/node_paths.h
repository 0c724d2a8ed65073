/* node_paths.h - best trees, or Pareto fronts of trees, from the leaves up
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_NODE_PATHS_H
#define TAN_DESIGN_SEARCH_NODE_PATHS_H

#include "design/search/paths.h"
#include "design/search/space.h"

/* The paths of the graph with the least wave time under the problem's model, in which a node's time
 * need not be a sum of level costs (`node`), if all nodes of a level are as full as the fullest;
 * ties go to fewer processes. The best `k` >= 1, or if `front` is set all those than which fewer
 * than k others are no worse in both time and processes. Exact, since a node's time and processes
 * do not decrease with its child's: the trees to keep below a node consist of those to keep below
 * its children. Without `front` at most k evaluations of `node` per arc. */
int tan_node_paths_find(const struct tan_problem *problem, const struct tan_space *space, int k,
                        bool front, struct tan_paths *out, struct tan_error *e);

#endif
