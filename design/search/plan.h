/* plan.h - a tree as seen by the search: leaves, fanouts, cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_PLAN_H
#define TAN_DESIGN_SEARCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/wave/wave.h"

/* Maximum number of leaves of a design, and levels enough for a binary tree over them. */
#define TAN_PLAN_MAX_LEAVES INT64_C(1000000000000)
enum { TAN_PLAN_LEVELS = 40 };

/* Costs closer than this, relatively, count as equal. */
#define TAN_SEARCH_EQUAL 1e-9

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
    double known_wave; /* seconds: a tree within the limits has it; 0: unknown */
    bool only_levels;  /* under a model with `node` search TAN_RULE_LEVELS alone */
    double error;      /* share by which the model errs in the wave of a tree; NaN: unknown */
};

/* Rules by which a plan's tree is built, and their names in specs (topo/spec.h). */
enum tan_plan_rule {
    TAN_RULE_LEVELS, /* levels: leaves divided evenly, the children with more of them first */
    TAN_RULE_LAST,   /* levels:...:last, the children with more of them last */
    TAN_RULE_KARY,   /* kary: */
    TAN_RULE_BINARY,
    TAN_RULE_BINOMIAL,
};

/* A tree described by the fanouts on its critical path, so that its size is independent of the
 * number of leaves. */
struct tan_plan {
    enum tan_plan_rule rule;
    int64_t width; /* of TAN_RULE_KARY */
    int height;
    int64_t fanout[TAN_PLAN_LEVELS]; /* `height` entries, from the root down */
    int64_t
        below[TAN_PLAN_LEVELS]; /* leaves below the next node on the path, 1 if that is a leaf */
    int64_t others[TAN_PLAN_LEVELS]; /* the same for all siblings of that node together */
    int64_t leaves;
    int64_t internal;  /* excluding root and leaves */
    int64_t processes; /* root, internal processes and leaves */
    int64_t max_fanout;
    double wave;   /* seconds: half round trip */
    double period; /* seconds between waves in steady state: the largest cost of a level */
};

/* What may be weighed against the wave of a tree. */
enum tan_front_cost {
    TAN_COST_PROCESSES,
    TAN_COST_LOSS, /* most leaves that a process takes with it when it fails */
};
static inline int64_t tan_plan_cost(const struct tan_plan *plan, enum tan_front_cost cost)
{
    return cost == TAN_COST_LOSS ? plan->below[0] : plan->processes;
}

/* The level-uniform tree with these `height` fanouts (root first) over `leaves` leaves, divided
 * evenly, as built by "levels:" of topo/spec.h. Nodes have no more children than leaves below them;
 * fanouts below the level at which single leaves are reached are dropped. The fanouts must hold the
 * leaves. O(height). */
void tan_plan_levels(struct tan_plan *plan, int64_t leaves, const int64_t *fanouts, int height);
/* Set `below` and `others` as if all nodes of a level were as full as the fullest. O(height). */
void tan_plan_spread(struct tan_plan *plan);
/* Cost of one level in seconds, 0 being the root's. With `node`: what the level adds to the time of
 * the fullest node below. */
double tan_plan_level(const struct tan_plan *plan, int level, const struct tan_model *model,
                      const struct tan_params *params);
/* Set wave and period. */
void tan_plan_price(struct tan_plan *plan, const struct tan_model *model,
                    const struct tan_params *params);
/* The wave time: the sum of the level costs and C, or with `node` the root's time.
 * O(height), except for trees of TAN_RULE_KARY with `node`. */
double tan_plan_wave(const struct tan_plan *plan, const struct tan_model *model,
                     const struct tan_params *params);
/* Order of plans with equal cost: by processes, then fanouts, root first, then rule. Comparison
 * result as for qsort; 0 only if both are the same tree. O(height). */
int tan_plan_order(const struct tan_plan *a, const struct tan_plan *b);
/* "16x16x16"; of other rules than TAN_RULE_LEVELS "16x16x16:last", "kary:16", "binary" or
 * "binomial". */
struct tan_text tan_plan_fanouts(const struct tan_plan *plan);
/* The plan as a spec for topo/spec.h, "levels:16x16x16" or "levels:17x16x16:4100". */
struct tan_text tan_plan_spec(const struct tan_plan *plan);

/* A node that divides its leaves evenly among its children. */
struct tan_even_node {
    int64_t fanout;
    int64_t fuller; /* children with leaves + 1 below them; the others have `leaves`, or, if that
                       is 0, do not exist */
    int64_t leaves;
    bool last; /* fuller children are asked after the others */
    bool root;
};
/* Its time, given that of a child with `leaves`, and of one with a leaf more; for a model with
 * `node`. */
double tan_even_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_even_node *node, double time, double fuller);

/* Most leaves below a child of the root of a k-ary tree, whose height and fanouts are set. */
int64_t tan_kary_most_below(const struct tan_plan *plan);

/* Trees, best first. */
struct tan_plans {
    size_t n;
    bool cut;     /* there are more, but too many ties to order; why a search failed, if it did */
    double bound; /* seconds: no even tree is faster, whatever the limits but that on children; 0:
                     unknown, or the best is proven to be that */
    struct tan_plan *plan; /* owned: tan_plans_clear */
};

void tan_plans_clear(struct tan_plans *plans);

#endif
