/* choose.h - finding the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_CHOOSE_H
#define TAN_DESIGN_SYSTEMS_CHOOSE_H

#include "design/search/sensitivity.h"
#include "design/systems/least_tree.h"
#include "design/systems/shape.h"
#include "model/stats/stats.h"

/* A setting, and the seconds that failures add to its wave. */
struct tan_delayed {
    struct tan_setting setting;
    double wait;
};

/* Processes that share hosts or racks. */
struct tan_shared_hosts {
    struct tan_tiers tiers; /* the last one has the parameters of the problem instead */
    struct tan_sites sites; /* of every process; borrowed */
    int32_t *host;          /* of every process */
    int32_t n;              /* number of hosts of members */
    bool even;              /* all of them run equally many */
};

/* A question about a target. */
struct tan_target_problem {
    const struct tan_target *target;
    const char *asked; /* its name as it was given, "slurm@23.11"; NULL: the target's. Borrowed */
    int64_t members;   /* N, at least 2 */
    const struct tan_model *model;
    const struct tan_params *up, *down; /* with the payloads of the two directions; may be equal */
    int ways;     /* TAN_UP or TAN_DOWN to ask about one direction only; 0: all */
    bool network; /* messages take the time of their transfer, and children share a link */
    const struct tan_shared_hosts *shared; /* NULL: all links are of one kind. Borrowed */
    double error;  /* of the model, on trees that no fit used; NaN: unknown */
    double p_down; /* how likely every process but the root is down when a wave begins; 0: not
                      asked */
    /* The only settings to choose from, by their waves and waits; NULL: all, by their waves. */
    const struct tan_delayed *among;
    int n_among;
};
/* Whether the target has settings for a single direction. */
bool tan_target_apart(const struct tan_target *target);
/* Whether its waves go one way, or up and then down, rather than being round trips. */
bool tan_target_one_way(const struct tan_target *target);
/* Whether times are half round trips, of which half of a delay is a part. */
bool tan_target_halves(const struct tan_target_problem *problem);
/* Whether several ranks run on a host. */
bool tan_target_shares_hosts(const struct tan_target_problem *problem);
/* Whether processes that share hosts or racks are so many that values are chosen as if all links
 * were of one kind, only the chosen ones are priced where the processes are, and how sure they are
 * is not known. */
bool tan_target_is_vast(const struct tan_target_problem *problem);
/* Of a direction, or of both, those in which messages go that are asked about. */
int tan_target_passes(const struct tan_target_problem *problem, int direction);
/* What a wave's time stands for: "half a round trip", "one way", "up, then down". Static. */
const char *tan_target_priced(const struct tan_target_problem *problem, int direction);

/* Whether children may be sent to at the same time, so that they share their parent's link: on a
 * network, with `params` of messages down whose bytes take longer than a process needs for each. */
bool tan_target_shares_link(const struct tan_target_problem *problem,
                            const struct tan_params *params);

/* A setting and the tree that the target builds from it. */
struct tan_priced {
    struct tan_setting setting;
    struct tan_shape_cost cost; /* wave: as tan_target_priced says */
    double slower;              /* relative to the least tree's wave */
};

/* Whether a setting's time, of one direction, depends on how messages share a link: if siblings'
 * subtrees differ, it is between cost.in_turn (children are served one by one) and cost.wave (all
 * are served concurrently and finish last). */
bool tan_priced_is_uncertain(const struct tan_target_problem *problem,
                             const struct tan_priced *priced);
/* By what share one setting takes longer than another, at least or at most: of uncertain ones by
 * both of these prices. */
double tan_priced_longer(const struct tan_target_problem *problem, const struct tan_priced *one,
                         const struct tan_priced *other, bool most);

enum { TAN_PRICED = 16 }; /* maximum number of knobs, twice */

/* The setting to fall back on: the one with the shortest wave among those that build another tree.
 * With draws, the one that is better in most of those in which the best setting is not, if its mean
 * regret is smaller. */
struct tan_runner_up {
    struct tan_setting setting; /* its knob is NULL if there is none, or it was not asked for */
    double slower;              /* than the best setting, as a share of its wave */
    double share;       /* of draws in which it is the best, and better than the best setting; NaN
                           without draws */
    double mean_regret; /* as below */
};

/* The answer for one direction, or for both if one setting covers both. */
struct tan_target_way {
    int direction; /* TAN_UP, TAN_DOWN or both */
    /* The best of all trees; one way, and where links are of several kinds, of height 0, with the
     * wave of the best setting. */
    struct tan_least_tree least;
    struct tan_priced priced[TAN_PRICED]; /* the best value of every knob, and where prices are
                                       uncertain that with the largest sure gain over the default;
                                       best first, ties in the order of the knobs */
    size_t n_priced;
    /* The target's default; its knob is NULL if that is no tree or not known. */
    struct tan_priced by_default;
    /* Of a default that is not priced: no tree, "bcast=scatter-allgather", or "coll/han"; or NULL
     */
    const char *default_name;
    /* From draws of the parameters; NaN and low > high without draws */
    struct tan_interval ci95; /* for the best setting's wave, without failures */
    double share;             /* of draws in which no other setting is better */
    double mean_regret;       /* mean excess over the best setting of each draw */
    double regret95;          /* 95th percentile of that excess */
    /* Of the best setting, without draws. */
    struct tan_sensitivity sensitivity[TAN_SENSITIVITIES];
    int n_sensitivities;
    struct tan_runner_up runner_up;
};

/* Whether the second setting, once the first one was put there, has a shorter wave. */
bool tan_target_outdone(const struct tan_target_way *way);
/* What a wave takes longer than the least tree's, as a share of that. */
double tan_slower_than_least(const struct tan_target_way *way, double wave);
/* A gain for which nobody changes a configuration. */
#define TAN_DEFAULT_LEAST 0.01
/* The gain that another setting must exceed to come before the default: that, or
 * tan_checks_margin. */
double tan_default_margin(double error);
/* Evaluate the trees of all settings. `way` has two entries; returns how many are used, -1 when
 * memory is short. */
int tan_target_choose(const struct tan_target_problem *problem, struct tan_target_way way[2],
                      struct tan_error *e);
/* Say how sure way->priced[0] is among the problem's settings, and if it `is_best` which one is
 * next: draws are compared, which takes about a hundred times as long, seconds for 10^5 members.
 * Fails only when memory is short. */
int tan_target_weigh(const struct tan_target_problem *problem, bool is_best,
                     struct tan_target_way *way, struct tan_error *e);
/* The cost of a setting's tree alone, in a direction or in both. */
int tan_target_cost(const struct tan_target_problem *problem, const struct tan_setting *setting,
                    int direction, struct tan_shape_cost *cost, struct tan_error *e);
/* The wave over a given tree of as many processes as the problem has, whose nodes serve their
 * children by rising numbers. Seconds; NaN if memory is short. */
double tan_target_wave(const struct tan_target_problem *problem, int direction,
                       const struct tan_tree *tree);
/* Evaluate a given setting instead, for the directions it applies to. */
int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        struct tan_target_way *way, struct tan_error *e);

#endif
