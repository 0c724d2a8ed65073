/* assemble.h - construction of a tree from parents in any order
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_ASSEMBLE_H
#define TAN_TOPO_ASSEMBLE_H

#include "topo/tree.h"

/* Number the nodes breadth first. `parents`: `size` >= 2 entries from -1 to size - 1, exactly one
 * of them -1. `sequence`: the size - 1 other nodes, siblings in the order in which they shall be
 * numbered. `names`: NULL or `size` strings. *cycle is set to -1, or, when NULL is returned because
 * some nodes cannot be reached from the root, to one that is its own ancestor (no error is set
 * then). O(size). */
struct tan_tree *tan_assemble(const int32_t *parents, const int32_t *sequence, int32_t size,
                              const char *const *names, int32_t *cycle, struct tan_error *e);
/* A node that is its own ancestor, when `node` has no root above it. O(size). */
int32_t tan_find_cycle(const int32_t *parents, int32_t size, int32_t node);

#endif
