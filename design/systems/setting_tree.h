/* setting_tree.h - the tree of an answer, for writing it to files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_SETTING_TREE_H
#define TAN_DESIGN_SYSTEMS_SETTING_TREE_H

#include "design/systems/target.h"
#include "topo/tree.h"

/* The answer's processes in their own order if parents precede their children, else breadth first.
 * Processes are named after their hosts, host:0, host:1 ..., those without one localhost:0 ...; if
 * the answer has no hosts at all they are unnamed. Destroyed by the caller. O(processes). */
struct tan_tree *tan_answer_tree(const struct tan_answer *answer, struct tan_error *e);

/* Lists of children: those of process i are child[first[i]] .. child[first[i + 1] - 1],
 * ascending. */
struct tan_answer_children {
    int32_t root;
    int32_t *first; /* owned, processes + 1 entries */
    int32_t *child; /* owned */
};
/* *children must be cleared, even after a failure. O(processes). */
int tan_answer_children(const struct tan_answer *answer, struct tan_answer_children *children,
                        struct tan_error *e);
void tan_answer_children_clear(struct tan_answer_children *children);

#endif
