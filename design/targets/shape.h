/* shape.h - trees of targets, by the sizes of their subtrees and as parents
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_SHAPE_H
#define TAN_DESIGN_TARGETS_SHAPE_H

#include "design/targets/least_tree.h"
#include "model/wave/wave.h"

/* Shares `size` out to `count` branches as evenly as possible, the larger ones first; returns how
 * many entries of `out` are used (0 where size is 0; no branch is empty). */
int tan_branches_even(int64_t size, int64_t count, struct tan_branch *out);

/* A tree without its nodes. */
struct tan_shape {
    const struct tan_knob *knob;
    int64_t value;
    const int64_t *fanout; /* of a knob without split: by depth, TAN_LEAST_LEVELS */
    enum tan_population population;
    int64_t size; /* of the root: processes where all are members, the root with them; or leaves */
};
/* The shape of a setting for a target's N. `fanout`: see above; borrowed. */
struct tan_shape tan_shape_of(const struct tan_target *target, const struct tan_setting *setting,
                              int64_t members, const int64_t *fanout);

/* Costs of a shape. */
struct tan_shape_cost {
    double wave;    /* seconds: half round trip, as tan_wave_time of the tree */
    double in_turn; /* the same where children are served one after the other, those with the most
                       below them first; less where the trees below siblings differ */
    double period;  /* seconds: the largest cost of a level */
    int64_t max_fanout, processes;
    int64_t height;
    double hops; /* links between all processes and the root, added up: those of a message from
                    each, or the processes behind all messages of a wave */
};
/* Processes behind a message of a wave in the mean, its sender among them; 0 without messages. */
double tan_shape_behind(const struct tan_shape_cost *cost);
/* By the sizes alone: a tree of 10^9 processes takes microseconds, but for chains, O(height). A
 * process of a tree of members adds a payload of its own. -1 when memory is short. */
int tan_shape_cost(const struct tan_shape *shape, const struct tan_model *model,
                   const struct tan_params *params, struct tan_shape_cost *out);
/* Children of the root. */
int64_t tan_shape_root_fanout(const struct tan_shape *shape);

/* The tree itself: malloc'd parents of *processes processes, in the target's numbering. Fails
 * beyond TAN_TREE_MAX_NODES. O(processes). */
int32_t *tan_shape_parents(const struct tan_shape *shape, int32_t *processes, struct tan_error *e);

#endif
