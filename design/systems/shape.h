/* shape.h - trees of targets by subtree sizes, and as parent vectors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_SHAPE_H
#define TAN_DESIGN_SYSTEMS_SHAPE_H

#include "design/systems/least_tree.h"
#include "model/wave/wave.h"
#include "topo/tree.h"

/* Append `count` branches of `size` to the `n` entries of `out` if both are positive. Returns the
 * new number of entries. */
int tan_branches_add(struct tan_branch *out, int n, int64_t size, int64_t count);
/* Divide `size` into `count` branches as evenly as possible, larger ones first; returns the number
 * of entries of `out` used (0 if size is 0; no branch is empty). */
int tan_branches_even(int64_t size, int64_t count, struct tan_branch *out);

/* `parents` of a knob that numbers processes in preorder: the subtrees of `split` in its order, one
 * after the other. */
void tan_preorder_parents(int (*split)(int64_t value, int64_t size, int depth,
                                       struct tan_branch *out),
                          int64_t value, int32_t n, int32_t *parents);

/* A tree described without its nodes. */
struct tan_shape {
    const struct tan_knob *knob;
    int64_t value;
    const int64_t *fanout; /* for a knob without split: by depth, TAN_LEAST_LEVELS entries */
    enum tan_population population;
    /* Of the whole tree: processes including the root if all are members, else leaves. */
    int64_t size;
    int senders; /* children that a process sends to at the same time; 0: one */
    /* Whether models that are sums of levels price one direction child by child (tan_one_way_node)
     * where the parameters have one, rather than as if all children shared a link. */
    bool by_child;
};
/* The shape of a setting for a target's N. `fanout`: see above; borrowed. */
struct tan_shape tan_shape_of(const struct tan_target *target, const struct tan_setting *setting,
                              int64_t members, const int64_t *fanout);

/* Costs of a shape. */
struct tan_shape_cost {
    double wave;    /* half round trip or one way, as the parameters say; seconds */
    double in_turn; /* the same if children are served one by one, those with the largest subtrees
                       first; less if siblings' subtrees differ */
    double period;  /* from wave to wave in steady state: that of the busiest process; seconds. NaN
                       if unknown */
    int64_t max_fanout, processes;
    int64_t max_below; /* payloads in the longest message */
    int64_t height;
    /* Sum of all processes' distances from the root, which is also the sum, over all messages of a
     * wave, of the processes behind them. */
    double hops;
};
/* Mean number of processes behind a message of a wave, including its sender; 0 without messages. */
double tan_shape_behind(const struct tan_shape_cost *cost);
/* Computed from sizes alone, in microseconds for 10^9 processes, but in O(height) for chains. In a
 * tree of members every process adds a payload of its own. -1 when memory is short. */
int tan_shape_cost(const struct tan_shape *shape, const struct tan_model *model,
                   const struct tan_params *params, struct tan_shape_cost *out);
/* A way down the largest subtrees of a shape, which it borrows, beginning at the root. */
struct tan_shape_walk {
    const struct tan_shape *shape;
    int64_t size;
    int depth;
};
struct tan_shape_walk tan_shape_walk(const struct tan_shape *shape);
/* The number of children of the process reached, before moving on to the root of its largest
 * subtree; 0 for a leaf. */
int64_t tan_shape_descend(struct tan_shape_walk *walk);

/* The tree itself, in the target's numbering, with the children of every process listed in the
 * order in which they are sent to. Fails beyond TAN_TREE_MAX_NODES. O(processes). */
struct tan_tree *tan_shape_tree(const struct tan_shape *shape, struct tan_error *e);

#endif
