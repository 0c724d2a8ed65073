/* compare.h - comparison of given trees with the best one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_COMPARE_H
#define TAN_DESIGN_CHOICE_COMPARE_H

#include "design/choice/design.h"

struct tan_compared {
    const char *spec; /* borrowed */
    int64_t processes, leaves;
    int32_t height, max_fanout;
    int32_t max_below;        /* most leaves below a node other than the root */
    double wave;              /* seconds */
    struct tan_interval ci95; /* of the wave; low > high if unknown */
    /* Share of the fastest tree's wave time. May be negative: with fewer leaves, beyond the limits,
     * or under a model with `node` if nodes differ within a level. */
    double slower;
    double difference; /* from the fastest tree's wave, seconds */
    struct tan_interval difference_ci95;
    bool tied; /* the difference is not significant */
};

/* Build the tree that `spec` names (topo/spec.h) and compare it with d->fastest. O(nodes * draws),
 * where large trees use only the first 10^8 / nodes draws, but at least 100. Fails if there is no
 * such tree, or when memory is short. */
int tan_compare(const struct tan_design *d, const char *spec, struct tan_compared *out,
                struct tan_error *e);

#endif
