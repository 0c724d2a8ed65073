/* thumb.h - rules of thumb: what systems do untold or advise, and common shapes
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_TARGETS_THUMB_H
#define TAN_DESIGN_TARGETS_THUMB_H

#include <stdint.h>
#include <stdio.h>

#include "design/search/plan.h"

TAN_BEGIN_DECLS

enum {
    TAN_THUMBS = 32,     /* enough rules for all */
    TAN_THUMB_SPEC = 64, /* enough characters for every spec */
};

/* A rule for the fanout. In Slurm, PRRTE and Flux the inner nodes are members of the tree
 * themselves; here every rule serves the same number of leaves, with internal processes of their
 * own, so that only the shapes are compared. Exact trees of a system: design/targets. */
struct tan_thumb {
    const char *name; /* "Slurm, TreeWidth 16" */
    const char *help; /* "default since 23.11" */
    /* The tree for `leaves` leaves (not priced yet), and its spec for topo/spec.h. O(log leaves),
     * nothing is built. */
    void (*tree)(int64_t width, int64_t leaves, struct tan_plan *plan, char *spec, size_t size);
    int64_t width;                    /* of a rule that is one number */
    int64_t (*rule)(int64_t members); /* else; NULL: width */
};

/* All of them: the defaults of the targets that are one, then shapes. `out`: TAN_THUMBS entries.
 * Returns their number. */
size_t tan_thumbs(struct tan_thumb *out);
void tan_thumb_tree(const struct tan_thumb *thumb, int64_t leaves, struct tan_plan *plan,
                    char *spec, size_t size);
void tan_thumb_help(FILE *to);

TAN_END_DECLS

#endif
