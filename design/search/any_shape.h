/* any_shape.h - best tree of any shape, with overlapping requests and answers, or one way
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_ANY_SHAPE_H
#define TAN_DESIGN_SEARCH_ANY_SHAPE_H

#include "design/search/plan.h"

/* Maximum number of leaves, beyond which there is no search, and of children that a process may
 * have. */
enum { TAN_ANY_SHAPE_LEAVES = 1 << 20, TAN_ANY_SHAPE_FANOUT = 256 };

/* A tree whose processes may all have different subtrees. */
struct tan_any_shape {
    struct tan_tree *tree; /* NULL if none is found; owned */
    double wave;           /* of the tree by tan_wave_time, or the one given; seconds */
    /* Seconds: no tree within the limits on fanout, height and loss is faster. NaN where more than
     * TAN_ANY_SHAPE_FANOUT children may pay, or where gaps are longer than overheads. */
    double bound;
};

/* With `members` all processes are counted, the root included, instead of leaves: a tree has as
 * many as the problem has leaves. Limits other than on children are those of leaves, and not for
 * it.
 *
 * The best tree under tan-overlap with messages of one size, or only a good one where gaps are
 * longer than overheads, if it is faster than `wave`, the seconds of any such tree, by more than
 * the problem's error in both. Times of nodes are rounded to some thousand steps, for the tree
 * upwards and for the bound downwards. A tree beyond max_processes is not returned. Tenths of a
 * second, for a million leaves. -1 if memory is short. */
int tan_any_shape(const struct tan_problem *problem, bool members, double wave,
                  struct tan_any_shape *out, struct tan_error *e);

#endif
