/* design.h - recommendation: best trees, ties and comparisons
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_DESIGN_H
#define TAN_DESIGN_CHOICE_DESIGN_H

#include <stdbool.h>

#include "design/search/any_shape.h"
#include "design/search/search.h"
#include "design/search/sensitivity.h"
#include "design/search/spread.h"
#include "design/systems/setting.h"

enum {
    TAN_DESIGN_COMPARED = 64, /* minimum number of compared trees */
    TAN_DESIGN_DIVERSE = 10,  /* the same under a model with `node` */
    TAN_DESIGN_LISTED = 1000, /* maximum of `listed` */
    TAN_DECIDED = 32,         /* characters of the name of a measurement */
};

/* Loss by a choice when parameters are uncertain */

/* The best trees under each draw of the parameters. */
struct tan_loss {
    size_t n;                 /* number of draws; 0: the parameters have none, or only one */
    double *best;             /* n: wave time of the best tree under each draw, seconds; owned */
    struct tan_plans plans;   /* distinct trees that are the best under some draw, priced with the
                                 problem's parameters, most frequent first; owned */
    double *share;            /* plans.n shares of the draws; owned */
    struct tan_interval ci95; /* of the wave time of the best tree, whichever that is */
};

/* Find them among `known` and the best trees of some draws (at most 200; fewer beyond 10^5 leaves,
 * or beyond 10^3 with a payload; none under max_processes, where searching is slow). The draws are
 * those of the problem's parameters. */
int tan_loss_create(const struct tan_problem *problem, const struct tan_plans *known,
                    struct tan_loss *out, struct tan_error *e);
void tan_loss_clear(struct tan_loss *loss);

/* By how much a tree is slower than the best one, as a share of the best tree's wave time; NaN
 * without draws. */
struct tan_regret {
    double mean;
    double bound; /* upper bound in 95 of 100 draws */
    double none;  /* share of draws in which it is not slower */
};
/* The regret of choosing `plan`. Fails only when memory is short. */
int tan_loss_regret(const struct tan_loss *loss, const struct tan_problem *problem,
                    const struct tan_plan *plan, struct tan_regret *regret, struct tan_error *e);
/* Share of the draws in which `plan` is the best tree and `other` is slower; NaN without draws. */
double tan_loss_beats(const struct tan_loss *loss, const struct tan_problem *problem,
                      const struct tan_plan *plan, const struct tan_plan *other);

/* Recommendation */

struct tan_choice {
    struct tan_plan plan;
    /* Of the wave time; low > high if unknown. The interval of the recommended tree is extended
     * down to the possible times of the best tree, so that it also holds for that one. */
    struct tan_interval ci95;
    double slower; /* share of the fastest tree's wave time, >= 0 */
    bool tied;     /* not significantly slower than the fastest tree */
    /* Share by which it is slower than the best tree of a draw: the mean, and the most in 95 of 100
     * draws. NaN without draws. */
    double mean_loss;
    double loss;
};

struct tan_comparison {
    const char *rule; /* name of the rule of thumb; static */
    struct tan_plan plan;
    /* As above, but may be negative: beyond the limits, or under a model with `node`. Those more
     * than twice as slow do not count as tied without a look at the draws. */
    double slower;
    bool tied;          /* as above */
    bool within_limits; /* of the problem */
};

/* The same problem under another model. */
struct tan_by_other {
    bool exists;
    double wave;                /* of the recommended tree under that model; seconds */
    struct tan_comparison best; /* its recommendation, priced with the problem's own model */
    double best_wave;           /* of its recommendation, under that model; seconds */
};

/* The tree to fall back on: of all but the recommended one the best tree of the most draws, or the
 * fastest, if its mean loss is smaller. */
struct tan_runner_up_tree {
    bool exists; /* false without draws, or if the recommended tree is the best in all of them */
    struct tan_plan plan;
    double probability; /* share of the draws in which no tree is faster, and the recommended one
                           is slower, so that both probabilities together are at most 1 */
    double mean_loss;   /* as in struct tan_choice */
};

/* Trees of one height that may be the best. */
struct tan_height {
    struct tan_plan plan; /* the one that is the best most often */
    double share;         /* of the draws in which the best tree has this height */
};
enum {
    TAN_DESIGN_HEIGHTS = 6,
};

struct tan_design {
    struct tan_problem problem; /* borrows the model and the parameters */
    enum tan_spread spread;
    /* The recommended tree first: the one with the fewest processes among those that tie with the
     * fastest and whose loss exceeds the smallest by at most one percentage point. The other ties
     * follow by processes, then the rest by wave time. */
    struct tan_choice *choices; /* owned */
    size_t n_choices;
    bool cut;                           /* too many similar trees to list all `listed` */
    size_t n_tied;                      /* number of ties, including the fastest */
    struct tan_plan fastest;            /* of all trees; one of the ties, if possible the first */
    double bound;                       /* seconds: no even tree is faster; 0: unknown, or proven */
    struct tan_comparison *comparisons; /* one per rule of thumb (setting.h); owned */
    size_t n_comparisons;
    /* Under LogP, where the cost of a level does not depend on its fanout, if the problem has
     * another model; under TAN if that is tan-overlap; and with messages by published LogGPO if
     * those of the problem are fitted. */
    struct {
        struct tan_by_other logp, tan, loggpo;
    } by;
    /* Of other heights, as levels trade latency against overhead; height 0: there is none. */
    struct tan_plan fewer_levels, more_levels;
    struct {
        struct tan_sensitivity row[TAN_SENSITIVITIES];
        int n; /* 0 with draws */
    } ranges;  /* in which the recommended tree stays the best */
    struct {
        /* The largest number of leaves for which the flat tree is best (at most TAN_FLAT_MOST,
         * least_tree.h) without other limits; 0 if the number of children is limited. */
        int64_t until;
        struct tan_interval ci95; /* low > high if unknown */
    } flat;
    double probability; /* share of the draws in which no tree is faster than the recommended one;
                           NaN without draws */
    struct tan_loss loss;
    struct tan_runner_up_tree runner_up;
    struct {
        /* Heights between which the parameters cannot decide: that of the recommended tree, then
         * the others that are best in at least 2.5 % of the draws, most frequent first. Empty
         * without draws. */
        struct tan_height height[TAN_DESIGN_HEIGHTS];
        int n;
        char decide[TAN_DECIDED]; /* measurement that separates the first two, or "" */
    } levels;
    /* Without a tree, but with a wave shorter than the fastest one's: of a tree that is faster only
     * if messages leave one after the other. */
    struct tan_any_shape any_shape;
};

/* Solve `problem` and list at least `listed` (1..TAN_DESIGN_LISTED) choices, if there are as many.
 * TAN_DESIGN_COMPARED are compared, so that the recommendation does not depend on a smaller
 * `listed`; but only `listed` under max_processes, where a search for many trees is slow. Fails if
 * no tree is within the limits (TAN_INFEASIBLE), and if every level costs nothing. */
int tan_design(const struct tan_problem *problem, int listed, struct tan_design *out,
               struct tan_error *e);
void tan_design_clear(struct tan_design *d);

/* Fronts of wave time and a second cost; objectives */

/* A cost that is weighed against the wave time. */
struct tan_front {
    const char *name; /* "latency,processes"; NULL ends the table */
    const char *cost; /* "processes"; its key in JSON is that of the tree's */
    const char *help; /* of the second cost: "leaves lost by a failure" */
    enum tan_front_cost of;
};
extern const struct tan_front tan_fronts[];

/* An objective that trees are optimised for. */
struct tan_objective {
    const char *name; /* "latency"; NULL ends the table */
    /* Narrow the problem's limits to the trees that are best by the objective; the search then
     * finds the one with the shortest wave. Fails as tan_search. */
    int (*narrow)(struct tan_problem *problem, struct tan_error *e);
    const char *least; /* "the shortest period"; NULL if it narrows nothing */
};
extern const struct tan_objective tan_objectives[];

#endif
