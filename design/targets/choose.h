/* choose.h - the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_CHOOSE_H
#define TAN_DESIGN_TARGETS_CHOOSE_H

#include "design/targets/least_tree.h"
#include "design/targets/shape.h"
#include "model/stats/interval.h"

/* What is asked about a target. */
struct tan_target_problem {
    const struct tan_target *target;
    int64_t members; /* N, at least 2 */
    const struct tan_model *model;
    const struct tan_params *up, *down; /* with the payloads of the two ways; may be the same */
    int ways; /* TAN_UP or TAN_DOWN: only that way is asked about; 0: all */
};
/* Whether settings of the target decide about one direction alone. */
bool tan_target_apart(const struct tan_target *target);

/* A setting, and the tree that the target builds from it. */
struct tan_told {
    struct tan_setting setting;
    struct tan_shape_cost cost; /* wave: half round trip; of one direction that direction's */
    double slower;              /* share of the least tree's wave */
};

/* Whether its time depends on how a link of one way is shared: where the trees below siblings
 * differ, the truth is anywhere from cost.in_turn (one child after the other) to cost.wave (all are
 * served together until the last one has everything). */
bool tan_told_is_uncertain(const struct tan_target_problem *problem, const struct tan_told *told);

enum { TAN_TOLD = 16 }; /* knobs of a target */

/* The answer for one direction, or for both where one setting decides about them. */
struct tan_target_way {
    int direction;                  /* TAN_UP, TAN_DOWN or both */
    struct tan_least_tree least;    /* the best of all trees */
    struct tan_told told[TAN_TOLD]; /* the best value of every knob, best first; of equal ones in
                                       the order of the knobs */
    size_t n_told;
    struct tan_told untold; /* what the target does by itself; its knob NULL: no one setting */
    /* Over the draws of the parameters; NaN and low > high where there are none */
    struct tan_interval ci95; /* of the best setting's wave */
    double share;             /* of the draws in which no other setting is better */
    double mean_regret;       /* how much slower than the best one of each draw, in the mean */
    double regret95;          /* in 95 of 100 draws at most */
};

/* Evaluates the tree that every setting builds. `way` has two entries; returns how many are used,
 * -1 when memory is short. Draws are weighed where `weigh` is set: then it takes some hundred times
 * as long, seconds for 10^5 members. */
int tan_target_choose(const struct tan_target_problem *problem, bool weigh,
                      struct tan_target_way way[2], struct tan_error *e);
/* One setting in place of the best one, for the directions that it decides about. */
int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        bool weigh, struct tan_target_way *way, struct tan_error *e);

#endif
