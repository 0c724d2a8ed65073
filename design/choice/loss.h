/* loss.h - loss by a choice of tree when parameters are uncertain
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_LOSS_H
#define TAN_DESIGN_CHOICE_LOSS_H

#include "design/search/search.h"

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

#endif
