/* plan.h - a tree as seen by the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_PLAN_H
#define TAN_DESIGN_SEARCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/wave/wave.h"

/* Maximum number of leaves of a design, and levels enough for a binary tree over them. */
#define TAN_PLAN_MAX_LEAVES INT64_C(1000000000000)
enum { TAN_PLAN_LEVELS = 40 };

/* a / b, rounded up, for a >= 0 and b > 0. */
static inline int64_t tan_ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

struct tan_objective;

/* Requirements. A limit of 0 means none. */
struct tan_problem {
    int64_t leaves; /* 1..TAN_PLAN_MAX_LEAVES */
    const struct tan_model *model;
    const struct tan_params *params;
    int64_t max_fanout, max_height;
    int64_t max_processes;           /* root, internal processes and leaves in total */
    const struct tan_params *beside; /* the machine's parameters for the other model family (TAN and
                                        LogP, or tan-overlap), for comparisons; NULL if unknown */
    /* `params` with messages by LogGPO as published, for comparison; NULL if those of `params` are
     * not by fitted, or if it is unknown. */
    const struct tan_params *published;
    /* If an objective narrowed the limits: the objective, else NULL; and the problem before, NULL
     * if it is this one. */
    const struct tan_objective *objective;
    const struct tan_problem *asked; /* borrowed */
    int64_t max_loss;  /* leaves below a process other than the root, itself included */
    double least_wave; /* seconds: no tree within the limits is known to have a shorter wave, so
                          that the search starts there; 0: unknown */
};

/* A tree described by the fanouts on its critical path, so that its size is independent of the
 * number of leaves. */
struct tan_plan {
    int height;
    int64_t fanout[TAN_PLAN_LEVELS]; /* `height` entries, from the root down */
    int64_t
        below[TAN_PLAN_LEVELS]; /* leaves below the next node on the path, 1 if that is a leaf */
    int64_t others[TAN_PLAN_LEVELS]; /* the same for all siblings of that node together */
    int64_t leaves;
    int64_t internal;  /* excluding root and leaves */
    int64_t processes; /* root, internal processes and leaves */
    int64_t max_fanout;
    bool levels; /* made by tan_plan_levels, so that tan_plan_spec describes it */
    /* For models with `node`: the time of this tree relative to one whose nodes are all as full as
     * the fullest of their level. 1 if unknown and for other models; 0: not priced, counts as 1. */
    double share;
    double wave;   /* seconds: half round trip */
    double period; /* seconds between waves in steady state: the largest cost of a level */
};

/* The level-uniform tree with these `height` fanouts (root first) over `leaves` leaves, spread
 * evenly, as built by "levels:" of topo/spec.h. Nodes have no more children than leaves below them;
 * fanouts below the level at which single leaves are reached are dropped. The fanouts must hold the
 * leaves. O(height). */
void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height);
/* Set `below` and `others` as if all nodes of a level were as full as the fullest. O(height). */
void tan_plan_spread(struct tan_plan *plan);
/* Cost of one level in seconds, 0 being the root's. With `node`: what the level adds to the time of
 * the node below. */
double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params);
/* Set share, wave and period of a plan made by tan_plan_levels. O(height); under a model with
 * `node` O(leaves) if nodes of a level differ, up to 8192 leaves, beyond which they are treated as
 * equal. */
void tan_plan_price(struct tan_plan *plan, const struct tan_model *model,
                    const struct tan_params *params);
/* The same for any plan, whose tree is that of `spec`. */
void tan_plan_price_spec(struct tan_plan *plan, const char *spec, const struct tan_model *model,
                         const struct tan_params *params);
/* Whether both have equal fanouts. O(height). */
bool tan_plan_is(const struct tan_plan *a, const struct tan_plan *b);
/* The wave time: the sum of the level costs and C, or with `node` the root's time; uses `share` as
 * set by tan_plan_price. O(height). */
double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params);
/* Order of plans with equal cost: by processes, then fanouts, root first. Comparison result as for
 * qsort; 0 only if tan_plan_is. O(height). */
int tan_plan_order(const struct tan_plan *a, const struct tan_plan *b);
/* "16x16x16" into `buffer`, which is returned; 256 characters suffice for 10^12 leaves. */
const char *tan_plan_fanouts(const struct tan_plan *plan, char *buffer, size_t size);
/* The plan as a spec for topo/spec.h, "levels:16x16x16" or "levels:17x16x16:4100"; only for plans
 * made by tan_plan_levels. 280 characters suffice. */
const char *tan_plan_spec(const struct tan_plan *plan, char *buffer, size_t size);

#endif
