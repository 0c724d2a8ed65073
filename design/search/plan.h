/* plan.h - a tree in the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_SEARCH_PLAN_H
#define TAN_DESIGN_SEARCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/wave/wave.h"

TAN_BEGIN_DECLS

/* Maximum number of leaves of a design, and enough levels for a binary tree over them. */
#define TAN_PLAN_MAX_LEAVES INT64_C(1000000000000)
enum { TAN_PLAN_LEVELS = 40 };

/* Requirements of a tree. A limit of 0 is none. */
struct tan_problem {
    int64_t leaves; /* 1..TAN_PLAN_MAX_LEAVES */
    const struct tan_model *model;
    const struct tan_params *params;
    int64_t max_fanout, max_height;
    int64_t max_processes; /* root, internal processes and leaves together */
    /* Of a process, to its parent and to its children: the root has none to a parent. At least 2.
     */
    int64_t max_connections;
    const struct tan_params *beside; /* the same machine's by the other family of models, TAN and
                                        LogP or tan-overlap, for answers beside; NULL: not known */
};

/* The largest fanout that the limits leave the root, or a process below it; 0: any. */
static inline int64_t tan_problem_fanout(const struct tan_problem *p, bool root)
{
    const int64_t most = p->max_connections > 0 ? p->max_connections - !root : 0;
    return most > 0 && (p->max_fanout == 0 || most < p->max_fanout) ? most : p->max_fanout;
}

/* A tree by the fanouts on its critical path. Memory does not grow with it: a plan for 10^9 leaves
 * is as small as one for ten. */
struct tan_plan {
    int height;
    int64_t fanout[TAN_PLAN_LEVELS]; /* `height` entries, root first */
    int64_t below[TAN_PLAN_LEVELS];  /* leaves below the next node of the path, 1 when it is one */
    int64_t others[TAN_PLAN_LEVELS]; /* leaves below its siblings together */
    int64_t leaves;
    int64_t internal;  /* processes between the root and the leaves */
    int64_t processes; /* root, internal and leaves */
    int64_t max_fanout;
    bool levels; /* made by tan_plan_levels, so that tan_plan_spec names it */
    /* Of a model with nodes: the time of the tree itself, as a share of that of one whose nodes are
     * all as full as the fullest of their level. 1 where it is not known, and for other models. */
    double share;
    double wave;   /* seconds: half round trip */
    double period; /* seconds between waves in steady state: the largest level cost of a node */
};

/* The level-uniform tree with these fanouts (root first) over `leaves` leaves, spread evenly: what
 * "levels:" of topo/spec.h builds. A node takes at most as many children as it has leaves to serve;
 * fanouts below the level where single leaves are reached are dropped. The fanouts must hold the
 * leaves. O(height). */
void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height);
/* Set `below` and `others` as if every node of a level were as full as the fullest one. O(height).
 */
void tan_plan_spread(struct tan_plan *plan);
/* Cost of one level, 0 for the root's; seconds. */
double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params);
/* Set the costs under `model` and `params`; the rest is set already. O(height), but under a model
 * with nodes O(leaves) where not all nodes of a level are alike, up to 8192 leaves; beyond, as if
 * they were. */
void tan_plan_price(struct tan_plan *plan, const struct tan_model *model,
                    const struct tan_params *params);
/* The same of the plan of another tree, that of `spec`. */
void tan_plan_price_spec(struct tan_plan *plan, const char *spec, const struct tan_model *model,
                         const struct tan_params *params);
/* Whether both have the same fanouts. O(height). */
bool tan_plan_is(const struct tan_plan *a, const struct tan_plan *b);
/* Sum of the level costs and C, as tan_plan_price sets it. O(height). */
double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params);
/* Order of plans that cost the same: by processes, then by fanouts, root first. Negative, 0 or
 * positive as for qsort; 0 only for those that tan_plan_is. O(height). */
int tan_plan_order(const struct tan_plan *a, const struct tan_plan *b);
/* "16x16x16" into `buffer`, which it returns; 256 characters are enough up to 10^12 leaves. */
const char *tan_plan_fanouts(const struct tan_plan *plan, char *buffer, size_t size);
/* The plan as a spec for topo/spec.h, "levels:16x16x16" or "levels:17x16x16:4100"; only for plans
 * made by tan_plan_levels. 280 characters are enough. */
const char *tan_plan_spec(const struct tan_plan *plan, char *buffer, size_t size);

TAN_END_DECLS

#endif
