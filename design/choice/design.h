/* design.h - recommendation: the best trees, their ties, and comparisons
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_CHOICE_DESIGN_H
#define TAN_DESIGN_CHOICE_DESIGN_H

#include <stdbool.h>

#include "design/choice/breakpoints.h"
#include "design/choice/decide.h"
#include "design/choice/loss.h"
#include "design/search/search.h"
#include "design/search/spread.h"
#include "design/targets/thumb.h"

TAN_BEGIN_DECLS

enum {
    TAN_DESIGN_COMPARED = 64, /* least number of compared trees */
    TAN_DESIGN_LISTED = 1000, /* maximum of `listed` */
    TAN_DESIGN_SPEC = 280,    /* enough characters for every spec */
};

struct tan_choice {
    struct tan_plan plan;
    /* Of the wave time; low > high when not known. That of the recommended tree reaches down to
     * what the best tree may take, so that it holds for the best one as well. */
    struct tan_interval ci95;
    double slower;    /* share of the fastest tree's wave time, >= 0 */
    bool tied;        /* not significantly slower than the fastest tree */
    double mean_loss; /* over the draws: share by which it is slower than the best tree */
    double loss; /* in 95 of 100 draws it is at most this share slower than the best tree; NaN where
                    there are no draws */
};

struct tan_comparison {
    const char *rule; /* name of the rule of thumb */
    struct tan_plan plan;
    char spec[TAN_DESIGN_SPEC];
    double slower;      /* as above; negative is possible outside the limits only */
    bool tied;          /* as above */
    bool within_limits; /* of the problem */
};

/* The same problem by another model. */
struct tan_by_other {
    bool exists;
    double wave;                /* of the recommended tree, by that model; seconds */
    struct tan_comparison best; /* what it would recommend, priced by the problem's own */
    double best_wave;           /* of that, by that model; seconds */
};

/* The tree that would be best if the latency were different: with other numbers of levels, latency
 * and overhead trade places. */
struct tan_rival {
    bool exists;
    struct tan_plan plan; /* priced with the machine's latency, like every other plan */
    double latency;       /* seconds: the L at which it overtakes the fastest tree */
};

/* Trees of one height that may be the best ones. */
struct tan_height {
    struct tan_plan plan; /* the one that is it most often */
    double share;         /* of the draws under which the best tree has this height */
};
enum {
    TAN_DESIGN_HEIGHTS = 6,
};

struct tan_design {
    struct tan_problem problem; /* borrows the model and the parameters */
    enum tan_spread spread;
    /* The recommended one first: of those that tie with the fastest, and may lose at most a
     * percentage point more than the one that may lose least, the one with the fewest processes.
     * The other ties by processes, then the rest by wave time. */
    struct tan_choice *choices;
    size_t n_choices;
    bool cut;                /* too many similar trees to list all `listed` */
    size_t n_tied;           /* number of ties, the fastest included */
    struct tan_plan fastest; /* of all; one of the ties */
    struct tan_comparison *comparisons;
    size_t n_comparisons;
    /* By LogP, under which a level costs the same whatever its fanout, where the problem's model is
     * another one; by TAN, where it is tan-overlap; and with messages by LogGPO as published, where
     * they are by lines. */
    struct tan_by_other logp, tan, loggpo;
    struct tan_rival fewer_levels, more_levels;
    struct tan_interval stays[TAN_BREAKPOINTS]; /* of the fastest tree */
    /* The largest number of leaves for which the flat tree is best; 0: limits keep it out. */
    int64_t flat_until;
    struct tan_interval flat_ci95;
    double probability; /* share of the draws in which no tree is faster than the recommended one;
                           NaN without draws */
    struct tan_loss loss;
    /* Heights between which the parameters cannot decide: of the recommended tree, and the others
     * that are best in at least 2.5 % of the draws, those of more draws first. None without draws.
     */
    struct tan_height heights[TAN_DESIGN_HEIGHTS];
    int n_heights;
    char decide[TAN_DECIDE_SPEC]; /* the measurement that tells the first two apart, or "" */
    struct tan_tree *any_shape;   /* tan_design_any_shape; else NULL */
    double any_shape_wave;        /* seconds */
};

/* Solve `problem`; with `listed` (1..TAN_DESIGN_LISTED) choices or more where there are as many. Up
 * to TAN_DESIGN_COMPARED the recommendation does not depend on `listed`; but under max_processes,
 * where a search for many trees is slow, no others are compared. Fails when every level costs
 * nothing. */
int tan_design(const struct tan_problem *problem, int listed, struct tan_design *out,
               struct tan_error *e);
/* Add the best tree of any shape (search/any_shape.h), which fails for what that cannot do. */
int tan_design_any_shape(struct tan_design *d, struct tan_error *e);
void tan_design_clear(struct tan_design *d);

TAN_END_DECLS

#endif
