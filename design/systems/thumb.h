/* thumb.h - rules of thumb: defaults and recommendations of systems, and common shapes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_THUMB_H
#define TAN_DESIGN_SYSTEMS_THUMB_H

#include <stdint.h>
#include <stdio.h>

#include "design/search/baselines.h"

enum {
    TAN_THUMBS = 32,     /* upper bound on the number of rules */
    TAN_THUMB_SPEC = 64, /* characters, enough for every spec */
};

/* A rule for choosing the fanout. In Slurm, PRRTE and Flux the inner nodes are members of the tree;
 * here every rule serves the same number of leaves with separate internal processes, so that only
 * shapes are compared. For a system's exact trees see design/systems/rows. */
struct tan_thumb {
    const char *name; /* "Slurm, TreeWidth 16" */
    const char *help; /* "default since 23.11" */
    tan_baseline *tree;
    int64_t width;                    /* if the rule is a constant */
    int64_t (*rule)(int64_t members); /* otherwise; NULL: use width */
};

/* All rules: the targets' defaults that serve as rules, then shapes. `out`: TAN_THUMBS entries.
 * Returns their number. */
size_t tan_thumbs(struct tan_thumb *out);
/* The rule's tree for `leaves` leaves, as by its function, with the rule's width for them. */
void tan_thumb_tree(const struct tan_thumb *thumb, int64_t leaves, struct tan_plan *plan);
void tan_thumb_help(FILE *to);

#endif
