/* design.h - recommendation: the best trees, their ties, and comparisons
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_DESIGN_H
#define TAN_DESIGN_DESIGN_H

#include <stdbool.h>

#include "design/baselines.h"
#include "design/search.h"
#include "design/spread.h"

TAN_BEGIN_DECLS

enum {
    TAN_DESIGN_COMPARED = 64, /* least number of compared trees */
    TAN_DESIGN_LISTED = 1000, /* maximum of `listed` */
};

struct tan_choice {
    struct tan_plan plan;
    struct tan_interval ci95; /* of the wave time; low > high when not known */
    double slower;            /* share of the fastest tree's wave time, >= 0 */
    bool tied;                /* not significantly slower than the fastest tree */
};

struct tan_comparison {
    const struct tan_baseline *rule;
    struct tan_plan plan;
    char spec[TAN_BASELINE_SPEC];
    double slower;      /* as above; negative is possible outside the limits only */
    bool tied;          /* as above */
    bool within_limits; /* of the problem */
};

/* The tree that would be best if the latency were different: with other numbers of levels, latency
 * and overhead trade places. */
struct tan_rival {
    bool exists;
    struct tan_plan plan; /* priced with the machine's latency, like every other plan */
    double latency;       /* seconds: the L at which it overtakes the fastest tree */
};

struct tan_design {
    struct tan_problem problem; /* borrows the model and the parameters */
    enum tan_spread spread;
    struct tan_choice *choices; /* the recommended one first: of those that tie with the fastest the
                                   one with the fewest processes; after the ties by wave time */
    size_t n_choices;
    bool cut;                /* too many similar trees to list all `listed` */
    size_t n_tied;           /* number of ties, the fastest included */
    struct tan_plan fastest; /* of all; one of the ties */
    struct tan_comparison *comparisons;
    size_t n_comparisons;
    struct tan_rival fewer_levels, more_levels;
};

/* Solve `problem`; with `listed` (1..TAN_DESIGN_LISTED) choices or more where there are as many. Up
 * to TAN_DESIGN_COMPARED the recommendation does not depend on `listed`; but under max_processes,
 * where a search for many trees is slow, no others are compared. Fails when every level costs
 * nothing. */
int tan_design(const struct tan_problem *problem, int listed, struct tan_design *out,
               struct tan_error *e);
void tan_design_clear(struct tan_design *d);

TAN_END_DECLS

#endif
