/* hosted.h - the best tree and its placement on hosts with several processes each
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_HOSTED_H
#define TAN_DESIGN_CHOICE_HOSTED_H

#include <stdbool.h>

#include "design/search/plan.h"
#include "topo/place.h"

enum { TAN_HOSTED_SPEC = 280 };

struct tan_hosted_problem {
    struct tan_problem tree; /* leaves and limits; its params are those of the last tier */
    struct tan_tiers tiers;
    struct tan_room room;
    int32_t checked_hosts;    /* on which trees in any order take the time that is predicted */
    const char *const *specs; /* trees to place; NULL: search for the best */
    size_t n_specs;
};

/* A tree in one placement. */
struct tan_hosted {
    char spec[TAN_HOSTED_SPEC]; /* for topo/spec.h, if `parents` is NULL */
    const int32_t *parents; /* of its nodes, level by level, in a tree of any shape; not owned */
    const struct tan_place *place;
    int32_t processes, leaves, height, max_fanout;
    int32_t hosts;            /* number of hosts it uses */
    int64_t racks;            /* number of racks it uses; 0: unknown */
    double wave;              /* seconds: half round trip */
    double slower;            /* share of the fastest one's wave time */
    struct tan_interval ci95; /* of the wave; low > high if unknown */
    bool tied;                /* not significantly slower than the fastest; false if unknown */
    bool first;   /* none of its kind, of even levels or of any shape, is faster in its placement */
    bool weighed; /* whether `ci95` and `tied` were computed */
};

struct tan_hosted_design {
    /* The recommended one first: the fastest in placement depth, if it is slower than the fastest
     * by no more than the problem's error in both, or where links may be shared 5 %; else the
     * fastest. One of any shape has to gain more than that, too. Of even ones that tie with it
     * within one percent, the one with the fewest processes, then hosts. The others by wave time. A
     * tree appears once if its placement makes no difference. */
    struct tan_hosted *choices; /* owned: tan_hosted_clear */
    size_t n_choices;
    int32_t *shapes[TAN_TIERS]; /* parents in a tree of any shape by each tier; owned */
};

/* Price trees by the recursion with tiers in every placement of tan_places. Intervals and ties are
 * computed for the fastest `listed` of them, and for the fastest of each kind in each placement.
 * The search covers the best even trees and a tree of any shape by each single tier, kary trees,
 * and trees of up to three parts: the best tree by the first tier for some nodes on the root's
 * host, the best ones by the last tier between hosts, and the best by the first tier for some
 * leaves on a host below a node. These two numbers are tried in all pairs, or one at a time if
 * hosts hold more than 16 processes. No other tree is certain to be slower. Fails (TAN_INFEASIBLE)
 * if no tree fits. */
int tan_hosted_design(const struct tan_hosted_problem *problem, int listed,
                      struct tan_hosted_design *out, struct tan_error *e);
void tan_hosted_clear(struct tan_hosted_design *d);
/* The first choice in a placement that is an even tree, or else of any shape; n_choices: none. */
size_t tan_hosted_first(const struct tan_hosted_design *d, const struct tan_place *place,
                        bool even);

/* The tree of a choice, and the host of each of its nodes, with room behind for TAN_INNER_TIERS
 * times as many; NULL on failure. The caller destroys the tree, and frees *host, also on failure.
 */
struct tan_tree *tan_hosted_tree(const struct tan_hosted_problem *problem,
                                 const struct tan_hosted *choice, int32_t **host,
                                 struct tan_error *e);

#endif
