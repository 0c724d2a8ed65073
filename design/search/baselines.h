/* baselines.h - trees of common rules of thumb and of today's systems
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_SEARCH_BASELINES_H
#define TAN_DESIGN_SEARCH_BASELINES_H

#include <stdio.h>

#include "design/search/plan.h"

TAN_BEGIN_DECLS

/* A rule for the fanout. Systems differ in the members of a tree: in Slurm, PRRTE and Flux the
 * inner nodes are members themselves. Here every rule serves the same number of leaves, with
 * internal processes of their own, so that only the shapes are compared. */
struct tan_baseline {
    const char *name;
    const char *help;
    /* The tree for `leaves` leaves (not priced yet), and its spec for topo/spec.h. O(log leaves),
     * nothing is built. */
    void (*plan)(const struct tan_baseline *rule, int64_t leaves, struct tan_plan *plan, char *spec,
                 size_t size);
    int64_t width; /* maximum fanout, for the rules that fix it */
};
/* A row with name NULL ends the table. */
extern const struct tan_baseline tan_baselines[];
enum { TAN_BASELINE_SPEC = 64 }; /* enough characters for every spec */

/* The tree of kary:width:leaves, which the rules with a maximum fanout build; as tan_baseline.plan.
 */
void tan_baseline_kary(int64_t width, int64_t leaves, struct tan_plan *plan, char *spec,
                       size_t size);

void tan_baseline_help(FILE *to);

TAN_END_DECLS

#endif
