/* choose.h - finding the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_CHOOSE_H
#define TAN_DESIGN_TARGETS_CHOOSE_H

#include "design/search/failures.h"
#include "design/search/sensitivity.h"
#include "design/targets/least_tree.h"
#include "design/targets/shape.h"
#include "model/stats/interval.h"

/* Where ranks run, as far as defaults depend on it. */
enum tan_rank_hosts {
    TAN_RANKS_ANYWHERE, /* unknown, or hosts run different numbers of them */
    TAN_RANKS_APART,    /* one on each host, or all on one host */
    TAN_RANKS_SHARE,    /* several on each of several hosts, the same number on all */
};

/* Messages that are divided into chunks of one size, each of which every process passes on as soon
 * as it has it. */
struct tan_chunks {
    int64_t bytes;                      /* of a chunk */
    double up_count, down_count;        /* message / chunk; 1 or less: it is not divided */
    const struct tan_params *up, *down; /* with payloads of that length; borrowed */
};
enum { TAN_CHUNK_SIZES = 32 };

/* A question about a target. */
struct tan_target_problem {
    const struct tan_target *target;
    const char *asked; /* its name as it was given, "slurm@23.11"; NULL: the target's. Borrowed */
    int64_t members;   /* N, at least 2 */
    const struct tan_model *model;
    const struct tan_params *up, *down; /* with the payloads of the two directions; may be equal */
    int ways;     /* TAN_UP or TAN_DOWN to ask about one direction only; 0: all */
    bool network; /* messages take the time of their transfer, and children share a link */
    enum tan_rank_hosts rank_hosts;
    /* Sizes of chunks to compare with undivided messages, up to TAN_CHUNK_SIZES, ascending;
     * borrowed. For targets that divide messages and have a setting per direction; NULL: not asked
     * for. */
    const struct tan_chunks *chunks;
    size_t n_chunks;
    struct tan_failures failures; /* with what is known */
};
/* Whether the target has settings for a single direction. */
bool tan_target_apart(const struct tan_target *target);

/* A setting and the tree that the target builds from it. */
struct tan_told {
    struct tan_setting setting;
    int64_t chunk; /* bytes; 0: messages are not divided */
    /* wave: half round trip, or the time of the single direction. Of a message in k chunks,
     * the last of which may be a part of one: the wave of the first and k - 1 periods, and its
     * period is that of k chunks. */
    struct tan_shape_cost cost;
    double slower; /* relative to the least tree's wave, whose messages are not divided */
};

/* Whether its times are those of one direction in which children share a link. */
bool tan_target_shares_link(const struct tan_target_problem *problem);
/* Whether a setting's time depends on how messages share such a link: if siblings' subtrees differ,
 * it is between cost.in_turn (children are served one by one) and cost.wave (all are served
 * concurrently and finish last). */
bool tan_told_is_uncertain(const struct tan_target_problem *problem, const struct tan_told *told);

enum { TAN_TOLD = 16 }; /* maximum number of knobs */

/* The setting to fall back on: the one with the shortest wave among those that build another tree.
 * With draws, the one that is better in most of those in which the best setting is not, if its mean
 * regret is smaller. */
struct tan_runner_up {
    struct tan_setting setting; /* its knob is NULL if there is none, or it was not asked for */
    double slower;              /* than the best setting, as a share of its wave */
    double share;       /* of draws in which no other setting is better; NaN without draws */
    double mean_regret; /* as below */
};

/* The answer for one direction, or for both if one setting covers both. */
struct tan_target_way {
    int direction;                  /* TAN_UP, TAN_DOWN or both */
    struct tan_least_tree least;    /* the best of all trees */
    struct tan_told told[TAN_TOLD]; /* the best value of every knob, best first; ties in the order
                                       of the knobs */
    size_t n_told;
    /* The target's default; its knob is NULL if that is no tree or not known. */
    struct tan_told by_default;
    /* Of a default that is no tree, "bcast=scatter-allgather", or that depends on the hosts,
     * "coll/han"; else NULL. */
    const char *default_name;
    /* From draws of the parameters; NaN and low > high without draws */
    struct tan_interval ci95; /* for the best setting's wave */
    double share;             /* of draws in which no other setting is better */
    double mean_regret;       /* mean excess over the best setting of each draw */
    double regret95;          /* 95th percentile of that excess */
    /* Of the best setting, without draws and if messages are not divided. */
    struct tan_sensitivity sensitivity[TAN_SENSITIVITIES];
    int n_sensitivities;
    struct tan_runner_up runner_up;
};

/* Evaluate the trees of all settings. `way` has two entries; returns how many are used, -1 when
 * memory is short. If `weigh`, draws are compared, too, which takes about a hundred times as long:
 * seconds for 10^5 members. */
int tan_target_choose(const struct tan_target_problem *problem, bool weigh,
                      struct tan_target_way way[2], struct tan_error *e);
/* The cost of a setting's tree alone, in a direction or in both, with undivided messages. */
int tan_target_cost(const struct tan_target_problem *problem, const struct tan_setting *setting,
                    int direction, struct tan_shape_cost *cost, struct tan_error *e);
/* Evaluate a given setting instead, for the directions it applies to. */
int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        bool weigh, struct tan_target_way *way, struct tan_error *e);

#endif
