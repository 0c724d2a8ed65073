/* hosted.h - the best tree, and its placement, for hosts with several processes each
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
    const int32_t
        *rack;     /* of each host, 0 to racks - 1, hosts of a rack in a row; NULL: not known */
    int32_t racks; /* 0: not known */
    const char *const *specs; /* trees to place; NULL: the best ones are looked for */
    size_t n_specs;
};

/* A tree in one place. */
struct tan_hosted {
    char spec[TAN_HOSTED_SPEC]; /* for topo/spec.h */
    const struct tan_place *place;
    int32_t processes, leaves, height, max_fanout;
    int32_t hosts;            /* that it uses */
    int64_t racks;            /* the same; 0: not known */
    double wave;              /* seconds: half round trip */
    double slower;            /* share of the fastest one's wave time */
    struct tan_interval ci95; /* of the wave; low > high when not known */
    bool tied;                /* not significantly slower than the fastest */
};

struct tan_hosted_design {
    /* The recommended one first: of the ties within a hundredth of the fastest the one with the
     * fewest processes, then hosts. The others by wave time. Trees of which a placement changes
     * nothing are there once. Intervals and ties: see tan_hosted_weighed. */
    struct tan_hosted *choices; /* owned: tan_hosted_clear */
    size_t n_choices, n_weighed;
};

/* Price trees by the recursion with tiers wherever tan_places puts them. Looked for are
 * level-uniform trees in up to three parts: the best tree by the first tier for as many nodes as
 * the root's host can hold beside it, the best ones by the last tier between hosts, and the best by
 * the first tier for as many leaves as a host can hold below a node; for every such pair of
 * numbers, or for one number alone where hosts hold more than a few. Each part is that of the exact
 * search; only trees that share hosts in another way are left out. Fails (TAN_INFEASIBLE) when no
 * tree fits. */
int tan_hosted_design(const struct tan_hosted_problem *problem, int listed,
                      struct tan_hosted_design *out, struct tan_error *e);
void tan_hosted_clear(struct tan_hosted_design *d);
/* Whether a choice has its interval and whether it ties: the first n_weighed, and the best of each
 * placement. */
bool tan_hosted_weighed(const struct tan_hosted_design *d, size_t choice);

/* The host of each node of a choice: malloc'd, as many entries as it has processes. */
int32_t *tan_hosted_map(const struct tan_hosted_problem *problem, const struct tan_hosted *choice,
                        struct tan_error *e);

#endif
