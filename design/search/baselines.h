/* baselines.h - trees built by common rules of thumb
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_BASELINES_H
#define TAN_DESIGN_SEARCH_BASELINES_H

#include "design/search/plan.h"

/* A tree for `leaves` leaves with separate internal processes, by a rule with parameter `width` >=
 * 2: its plan, not priced yet. O(log leaves), a k-ary tree's O(k). */
typedef void tan_baseline(int64_t width, int64_t leaves, struct tan_plan *plan);

tan_baseline tan_baseline_kary; /* at most `width` children, spread evenly: kary:width:leaves */
tan_baseline
    tan_baseline_capped;        /* the fewest levels with at most `width` children, equal fanouts */
tan_baseline tan_baseline_two;  /* two levels of equal fanout; ignores width */
tan_baseline tan_baseline_flat; /* all leaves below the root; ignores width */
tan_baseline tan_baseline_binary; /* every node halves its leaves; ignores width */
tan_baseline
    tan_baseline_binomial; /* node i below i with its lowest set bit cleared; ignores width */

/* The least x with x^n >= value; value, n >= 1. The second one is at least 2. */
int64_t tan_ceil_root(int64_t value, int n);
int64_t tan_least_root(int64_t value, int n);

#endif
