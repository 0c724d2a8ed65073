/* node_paths.h - best trees where a node's time is no sum of levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_NODE_PATHS_H
#define TAN_DESIGN_SEARCH_NODE_PATHS_H

#include "design/search/paths.h"
#include "design/search/space.h"

/* The `k` >= 1 paths of the graph with the least wave time by the problem's model, which has a
 * `node`; of equal ones those with the fewest processes. Exact, since a node's time does not fall
 * with that of its child: the k best trees below a node are made of the k best ones below its
 * children. O(k A log k) times of nodes. */
int tan_node_paths_find(const struct tan_problem *problem, const struct tan_space *space, int k,
                        struct tan_paths *out, struct tan_error *e);

#endif
