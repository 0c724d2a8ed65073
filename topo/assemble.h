/* assemble.h - building a tree from parents in any order
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_ASSEMBLE_H
#define TAN_TOPO_ASSEMBLE_H

#include "topo/tree.h"

/* Number the nodes breadth first. `parents`: `size` >= 2 entries from -1 to size - 1, exactly one
 * of them -1. `sequence`: the size - 1 other nodes, siblings in their final order. `names`: NULL or
 * `size` strings. If some nodes cannot be reached from the root, returns NULL without an error and
 * sets *cycle to a node that is its own ancestor; otherwise *cycle is -1. O(size). */
struct tan_tree *tan_assemble(const int32_t *parents, const int32_t *sequence, int32_t size,
                              const char *const *names, int32_t *cycle, struct tan_error *e);
/* A node that is its own ancestor, given a `node` that has no root above it. O(size). */
int32_t tan_find_cycle(const int32_t *parents, int32_t size, int32_t node);

#endif
