/* compare.h - comparison of given trees with the best one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_COMPARE_H
#define TAN_DESIGN_CHOICE_COMPARE_H

#include "design/choice/design.h"

struct tan_compared {
    const char *spec; /* borrowed */
    int64_t processes, leaves;
    int32_t height, max_fanout;
    double wave;              /* seconds */
    struct tan_interval ci95; /* of the wave; low > high if unknown */
    double slower; /* share of the fastest tree's wave time; may be negative if the tree has fewer
                      leaves or exceeds the limits */
    double difference; /* from the fastest tree's wave, seconds */
    struct tan_interval difference_ci95;
    bool tied; /* the difference is not significant */
};

/* Build the tree that `spec` names (topo/spec.h) and compare it with d->fastest.
 * O(nodes * draws), where trees of more than 100,000 nodes use fewer of the draws, at least 100. */
int tan_compare(const struct tan_design *d, const char *spec, struct tan_compared *out,
                struct tan_error *e);

#endif
