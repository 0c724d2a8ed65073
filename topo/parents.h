/* parents.h - parent vectors in JSON (tan-tree/1)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_PARENTS_H
#define TAN_TOPO_PARENTS_H

#include <stdio.h>

#include "topo/tree.h"

/* {"schema": "tan-tree/1", "parents": [-1, 0, 0], "names": ["a:0", "b:0", "c:0"]} with optional
 * `names`, or the array of parents alone. Nodes may be in any order. `source` names the text in
 * errors. O(length). */
struct tan_tree *tan_parents_parse(const char *text, size_t length, const char *source,
                                   struct tan_error *e);
int tan_parents_write(const struct tan_tree *tree, FILE *to, struct tan_error *e);

#endif
