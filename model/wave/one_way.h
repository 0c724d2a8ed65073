/* one_way.h - waves in one direction by models that are sums of levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_ONE_WAY_H
#define TAN_MODEL_WAVE_ONE_WAY_H

#include "model/wave/wave.h"

/* An assumption, since such a model knows only the cost of a whole level: with a process's first
 * child a message takes level(1) from the start of its send to the end of its receive, and further
 * messages of a process with x children follow each other at intervals of (level(x) - level(1)) /
 * (x - 1). By TAN (method joint) that is o_s = o_r = a, and a gap of b + c (x + 1). Down
 * (params->one_way is TAN_DOWN), children are sent to in the given order; up, they are received
 * from as they come. The last child of equal ones is served level(x) after the first begins.
 *
 * Seconds from the message at the node, or from the start of the leaves, until the last child's
 * time has passed, or the last message has been received. 0 <= n <= TAN_CHILDREN_KINDS. */
double tan_one_way_node(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_children *kind, int n);

/* The same for a whole tree, with children in the order of their numbers. NaN if memory is
 * short, or a node has children of more than TAN_CHILDREN_KINDS kinds. */
double tan_one_way_time(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_tree *tree);

#endif
