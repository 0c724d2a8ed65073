/* fanouts.h - cost of a node's fanout, and uniform trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_FANOUTS_H
#define TAN_DESIGN_CHOICE_FANOUTS_H

#include "design/search/spread.h"
#include "design/targets/thumb.h"

/* One fanout; times are seconds, 95 % intervals have low > high if unknown. */
struct tan_fanout {
    int64_t fanout;
    double level; /* cost of a level whose parent has this many children, all leaves */
    double per_child;
    struct tan_interval ci95; /* of the level */
    /* The tree with at most this many children per node; height 0 if no leaves are given. */
    struct tan_plan plan;
    char spec[TAN_THUMB_SPEC]; /* "kary:8:4096" */
    struct tan_interval wave_ci95;
};

/* Powers of two from the least to the most. */
enum { TAN_FANOUTS = 7, TAN_LEAST_FANOUT = 2, TAN_MOST_FANOUT = 128 };
/* Costs of all of them, and of their trees for `leaves` leaves (0: no trees). Fails only when
 * memory is short. */
int tan_fanouts(const struct tan_model *model, const struct tan_params *params, int64_t leaves,
                struct tan_fanout out[TAN_FANOUTS], struct tan_error *e);

#endif
