/* baselines.h - trees of rules of thumb for the fanout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_BASELINES_H
#define TAN_DESIGN_SEARCH_BASELINES_H

#include "design/search/plan.h"

/* A tree for `leaves` leaves with internal processes of its own, by a rule whose number is `width`,
 * at least 2: its plan, not priced yet, and its spec for topo/spec.h. O(log leaves), nothing is
 * built. */
typedef void tan_baseline(int64_t width, int64_t leaves, struct tan_plan *plan, char *spec,
                          size_t size);

tan_baseline tan_baseline_kary;     /* at most `width` children, spread evenly: kary:width:leaves */
tan_baseline tan_baseline_capped;   /* as few levels as `width` children allow, equal fanouts */
tan_baseline tan_baseline_two;      /* two levels of equal fanout; no width */
tan_baseline tan_baseline_flat;     /* all leaves below the root; no width */
tan_baseline tan_baseline_binary;   /* every node splits its leaves in two halves; no width */
tan_baseline tan_baseline_binomial; /* node i below i with its lowest set bit cleared; no width */

/* The least x with x^n >= value, at least 2. */
int64_t tan_least_root(int64_t value, int n);

#endif
